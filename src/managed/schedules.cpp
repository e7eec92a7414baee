// SPDX-License-Identifier: MIT
#include "coworker/schedules.hpp"

#include "bounds.hpp"
#include "managed/checks.hpp"
#include "managed/managed_call.hpp"
#include "managed/managed_queue/put_request.hpp"
#include "managed/scheduled_options.hpp"
#include "operation.hpp"
#include "redis/server_time.hpp"
#include "schedule/schedule_words.hpp"
#include "text/utf8.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

/// Schedules as users see them. When they run is decided in src/schedule; who pushes their jobs: schedule_runner.
namespace coworker {

using namespace detail;

namespace {

constexpr std::size_t largest_data = 256 * 1024;
constexpr std::string_view schedule_jid = "name@time"; // stands for those that the scripts make
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

/// What follows the delay in the arguments of `put`, as a JSON list.
std::string push_words(const std::string& prefix, const put_request& job)
{
    boost::json::array list;
    for (const auto& word : words_for_later(prefix, job, "jobs of schedules"))
        list.emplace_back(word);
    return encode_value(std::move(list)).value();
}

std::chrono::sys_seconds to_second(timestamp when)
{
    return std::chrono::floor<std::chrono::seconds>(when);
}

schedule_status read_status(const reply::answer& words, std::size_t first)
{
    const auto word = [&](std::size_t i) { return std::string{words[first + i]}; };
    schedule_status status;
    status.name = word(0);
    status.when = to_schedule(word(2), word(3), word(4), word(5), word(6));
    read_bounds(status.when, word(17), word(18), word(19), word(20));
    status.queue = word(7);
    status.kind = word(8);
    status.data = word(9);
    status.options = read_scheduled_options(words[first + 10], status.kind, status.data);
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

managed_call look_call(const std::string& prefix, std::string_view name)
{
    managed_call call{prefix, "schedule_look"};
    call.add("name").add(name);
    return call;
}

asio::awaitable<bool> set_schedule(kept_connection redis, managed_call call, std::string name,
                                   schedule_rule rule, std::vector<std::string> words)
{
    const auto now = co_await server_time(redis);
    call.add(name).add(to_word(rule.next(to_second(now))));
    for (const auto& word : words)
        call.add(word);
    const reply answer = co_await call_managed(redis, std::move(call));
    co_return answer.back().integer() != 0;
}

asio::awaitable<result<schedule_status>> get_schedule(kept_connection redis, managed_call call)
{
    const reply answer = co_await call_managed(redis, std::move(call));
    if (answer.back().size() < words_ahead + words_of_look)
        co_return errc::schedule_not_found;
    co_return read_status(answer.back(), words_ahead);
}

asio::awaitable<std::vector<schedule_status>> list_schedules(kept_connection redis, std::string prefix)
{
    constexpr std::size_t page = 64; // with all their data, less than can be sent
    std::vector<schedule_status> all;
    for (std::size_t shown = page; shown == page;) {
        managed_call call{prefix, "schedule_look"};
        call.add_place(all.size()).add_place(page);
        const reply answer = co_await call_managed(redis, std::move(call));
        shown = 0;
        for (auto i = words_ahead; i + words_of_look <= answer.back().size(); i += words_of_look, ++shown)
            all.push_back(read_status(answer.back(), i));
    }
    co_return all;
}

asio::awaitable<result<void>> act_on_schedule(kept_connection redis, managed_call call)
{
    const reply answer = co_await call_managed(redis, std::move(call));
    if (answer.back().is_null())
        co_return errc::schedule_not_found;
    co_return result<void>{};
}

/// Its next time is found here, for the schedule as it was seen; if it was changed meanwhile, it is looked at again.
asio::awaitable<result<void>> resume_schedule(kept_connection redis, std::string prefix, std::string name)
{
    for (;;) {
        const reply seen = co_await call_managed(redis, look_call(prefix, name));
        const auto words = seen.back();
        if (words.size() < words_ahead + words_of_look)
            co_return errc::schedule_not_found;
        const auto status = read_status(words, words_ahead);
        const auto now = to_time(words[0]);
        if (!now)
            throw_unexpected_answer("a time that is none");
        const schedule_rule rule{status.when};
        managed_call call{prefix, "schedule_act"};
        call.add("resume").add(name).add(words[words_ahead + 11]).add(to_word(rule.next(to_second(*now))));
        const reply answer = co_await call_managed(redis, std::move(call));
        if (answer.back().is_null())
            co_return errc::schedule_not_found;
        if (answer.back().integer() != 0)
            co_return result<void>{};
    }
}

asio::awaitable<result<std::string>> run_schedule(kept_connection redis, managed_call call)
{
    const reply answer = co_await call_managed(redis, std::move(call));
    if (answer.back().is_null())
        co_return errc::schedule_not_found;
    co_return std::string{answer.back().text()};
}

} // namespace

schedules::schedules(const client& redis, managed_options options)
    : redis_{connection_of(redis).for_prefix(options.prefix)}, options_{std::move(options)}
{
    check_options(options_);
}

schedules::executor_type schedules::get_executor() const
{
    return redis_->get_executor();
}

asio::awaitable<bool> schedules::set_encoded(std::string_view name, const schedule& when,
                                             std::string_view queue, std::string_view kind,
                                             const std::string& data,
                                             const managed_push_options& options) const
{
    check_schedule_name(name);
    check_when(when);
    check_queue_name(queue);
    const put_request job{.kind = kind, .data = data, .jid = schedule_jid, .options = options};
    check_put(job, largest_data);
    auto words = to_words(when);
    words.insert(words.end(),
                 {std::string{queue}, std::string{kind}, data, push_words(options_.prefix, job)});
    for (auto& word : bounds_to_words(when))
        words.push_back(std::move(word));
    return set_schedule(*redis_, {options_.prefix, "schedule_set"}, std::string{name}, schedule_rule{when},
                        std::move(words));
}

asio::awaitable<result<schedule_status>> schedules::get(std::string_view name) const
{
    check_schedule_name(name);
    return get_schedule(*redis_, look_call(options_.prefix, name));
}

asio::awaitable<std::vector<schedule_status>> schedules::list() const
{
    return list_schedules(*redis_, options_.prefix);
}

asio::awaitable<result<void>> schedules::act(std::string_view action, std::string_view name) const
{
    check_schedule_name(name);
    managed_call call{options_.prefix, "schedule_act"};
    call.add(action).add(name);
    return act_on_schedule(*redis_, std::move(call));
}

asio::awaitable<result<void>> schedules::resume(std::string_view name) const
{
    check_schedule_name(name);
    return resume_schedule(*redis_, options_.prefix, std::string{name});
}

asio::awaitable<result<std::string>> schedules::run_now(std::string_view name) const
{
    check_schedule_name(name);
    managed_call call{options_.prefix, "schedule_run"};
    call.add(name);
    return run_schedule(*redis_, std::move(call));
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
