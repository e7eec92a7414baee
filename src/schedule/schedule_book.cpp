// SPDX-License-Identifier: MIT
#include "coworker/schedules.hpp"

#include "bounds.hpp"
#include "operation.hpp"
#include "redis/server_time.hpp"
#include "schedule/schedule_place.hpp"
#include "schedule/schedule_words.hpp"
#include "text/utf8.hpp"

#include <algorithm>

/// Schedules as users see them. When they run is decided by the pure functions beside; who pushes their jobs:
/// schedule_runner.
namespace coworker {

using namespace detail;

namespace {

using place = std::shared_ptr<const schedule_place>;

constexpr std::size_t runs_shown = 10;
constexpr std::size_t words_ahead = 2, words_of_look = 21; // in the answer of schedule_look.lua

void check_schedule_name(std::string_view name)
{
    if (name.empty() || name.size() > 200 || !is_utf8(name))
        throw explained_error{errc::invalid_option, "the name of a schedule is UTF-8 text of 1 to 200 bytes"};
}

void check_when(const schedule& when)
{
    if (when.cron.empty() && !when.zone.empty() && when.zone != "UTC")
        throw explained_error{errc::invalid_option,
                              "zone: only cron lines have a time zone, intervals have none"};
    if (!when.cron.empty() && when.anchor != timestamp{})
        throw explained_error{errc::invalid_option, "anchor: only intervals have one, cron lines have none"};
}

std::chrono::sys_seconds to_second(timestamp when)
{
    return std::chrono::floor<std::chrono::seconds>(when);
}

schedule_status read_status(const schedule_place& at, const reply::answer& words, std::size_t first)
{
    const auto word = [&](std::size_t i) { return std::string{words[first + i]}; };
    schedule_status status;
    status.name = word(0);
    status.when = to_schedule(word(2), word(3), word(4), word(5), word(6));
    read_bounds(status.when, word(17), word(18), word(19), word(20));
    status.queue = word(7);
    status.kind = word(8);
    status.data = word(9);
    at.read_options(words[first + 10], status);
    status.paused = words[first + 12] == "1";
    status.runs = static_cast<std::uint64_t>(std::max<std::int64_t>(to_integer(words[first + 13]), 0));
    status.last = to_time(words[first + 14]);
    status.last_jid = word(15);
    status.problem = word(16);
    const auto due = to_time(words[first + 1]);
    if (!due)
        return status;
    status.next.push_back(*due);
    try {
        const auto left = status.when.most_runs != 0
                              ? status.when.most_runs - std::min(status.runs, status.when.most_runs)
                              : runs_shown;
        const auto others = next_times(status.when, *due, std::clamp<std::size_t>(left, 1, runs_shown) - 1);
        status.next.insert(status.next.end(), others.begin(), others.end());
    } catch (const system_error& error) {
        status.problem = error.what();
    }
    return status;
}

/// One call of a script. Takes its words, since what they were made from may be gone when the call is awaited.
asio::awaitable<reply> call(place at, std::string_view action, std::vector<std::string> words,
                            bool pushes = false)
{
    at->redis->pushes().send(at->redis); // they began before
    auto arguments = at->arguments(pushes);
    for (const auto& word : words)
        arguments.add(word);
    co_return co_await at->redis->call(at->find(action), arguments);
}

std::vector<std::string> words_for_one(std::string name)
{
    std::vector<std::string> words;
    words.emplace_back("name");
    words.push_back(std::move(name));
    return words;
}

asio::awaitable<bool> set_schedule(place at, std::string name, schedule_rule rule,
                                   std::vector<std::string> words)
{
    const auto now = co_await server_time(*at->redis);
    words.insert(words.begin(), to_word(rule.next(to_second(now))));
    words.insert(words.begin(), std::move(name));
    const reply answer = co_await call(at, "set", std::move(words));
    co_return answer.back().integer() != 0;
}

asio::awaitable<result<schedule_status>> get_schedule(place at, std::string name)
{
    auto words = words_for_one(std::move(name));
    const reply answer = co_await call(at, "look", std::move(words));
    if (answer.back().size() < words_ahead + words_of_look)
        co_return errc::schedule_not_found;
    co_return read_status(*at, answer.back(), words_ahead);
}

asio::awaitable<std::vector<schedule_status>> list_of_schedules(place at)
{
    constexpr std::size_t page = 64; // with all their data, less than can be sent
    std::vector<schedule_status> all;
    for (std::size_t shown = page; shown == page;) {
        std::vector<std::string> words;
        words.push_back(std::to_string(all.size()));
        words.push_back(std::to_string(page));
        const reply answer = co_await call(at, "look", std::move(words));
        shown = 0;
        for (auto i = words_ahead; i + words_of_look <= answer.back().size(); i += words_of_look, ++shown)
            all.push_back(read_status(*at, answer.back(), i));
    }
    co_return all;
}

asio::awaitable<result<void>> act_on_schedule(place at, std::vector<std::string> words)
{
    const reply answer = co_await call(std::move(at), "act", std::move(words));
    if (answer.back().is_null())
        co_return errc::schedule_not_found;
    co_return result<void>{};
}

/// Its next time is found here, for the schedule as it was seen; if it was changed meanwhile, it is looked at again.
asio::awaitable<result<void>> resume_schedule(place at, std::string name)
{
    for (;;) {
        auto look = words_for_one(name);
        const reply seen = co_await call(at, "look", std::move(look));
        const auto words = seen.back();
        if (words.size() < words_ahead + words_of_look)
            co_return errc::schedule_not_found;
        const auto status = read_status(*at, words, words_ahead);
        const auto now = to_time(words[0]);
        if (!now)
            throw_unexpected_answer("a time that is none");
        const schedule_rule rule{status.when};
        std::vector<std::string> act;
        act.emplace_back("resume");
        act.push_back(name);
        act.emplace_back(words[words_ahead + 11]);
        act.push_back(to_word(rule.next(to_second(*now))));
        const reply answer = co_await call(at, "act", std::move(act));
        if (answer.back().is_null())
            co_return errc::schedule_not_found;
        if (answer.back().integer() != 0)
            co_return result<void>{};
    }
}

asio::awaitable<result<std::string>> run_schedule(place at, std::vector<std::string> words)
{
    const reply answer = co_await call(std::move(at), "run", std::move(words), true);
    if (answer.back().is_null())
        co_return errc::schedule_not_found;
    co_return std::string{answer.back().text()};
}

} // namespace

script_arguments schedule_place::arguments(bool pushes) const
{
    script_arguments all;
    for (const auto& key : keys)
        all.add_key(key);
    if (pushes)
        for (const auto& key : job_keys)
            all.add_key(key);
    all.add("server");
    return all;
}

schedule_book::executor_type schedule_book::get_executor() const
{
    return place_->redis->get_executor();
}

asio::awaitable<bool> schedule_book::set(std::string_view name, const schedule& when,
                                         std::vector<std::string> job) const
{
    check_schedule_name(name);
    check_when(when);
    auto words = to_words(when);
    for (auto& word : job)
        words.push_back(std::move(word));
    for (auto& word : bounds_to_words(when))
        words.push_back(std::move(word));
    return set_schedule(place_, std::string{name}, schedule_rule{when}, std::move(words));
}

asio::awaitable<result<schedule_status>> schedule_book::get(std::string_view name) const
{
    check_schedule_name(name);
    return get_schedule(place_, std::string{name});
}

asio::awaitable<std::vector<schedule_status>> schedule_book::list() const
{
    return list_of_schedules(place_);
}

asio::awaitable<result<void>> schedule_book::act(std::string_view action, std::string_view name) const
{
    check_schedule_name(name);
    return act_on_schedule(place_, {std::string{action}, std::string{name}});
}

asio::awaitable<result<void>> schedule_book::resume(std::string_view name) const
{
    check_schedule_name(name);
    return resume_schedule(place_, std::string{name});
}

asio::awaitable<result<std::string>> schedule_book::run_now(std::string_view name) const
{
    check_schedule_name(name);
    return run_schedule(place_, {std::string{name}});
}

std::optional<timestamp> schedule_time(std::string_view jid)
{
    const auto at = jid.rfind('@');
    return at == jid.npos ? std::nullopt : to_time(jid.substr(at + 1));
}

template struct detail::operation<result<schedule_status>>;
template struct detail::operation<std::vector<schedule_status>>;
template struct detail::operation<result<std::string>>;

} // namespace coworker
