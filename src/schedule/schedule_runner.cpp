// SPDX-License-Identifier: MIT
#include "schedule/schedule_runner.hpp"

#include "schedule/schedule_words.hpp"

#include <algorithm>

namespace coworker::detail {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t words_before = 3, words_of_due = 11, most_due = 64; // in the answer of schedule_due.lua

/// While there are no schedules, it hardly matters when that is looked at again unasked.
constexpr auto pause_without_schedules = 10min;

} // namespace

schedule_runner::schedule_runner(std::shared_ptr<const schedule_place> place)
    : place_{std::move(place)}, redis_{place_->redis}, watch_{
                                                           redis_->watches(), redis_->get_executor(), {key()}}
{}

asio::awaitable<void> schedule_runner::run_due()
{
    std::size_t passed = 0; // of those that are due, so many cannot be carried out here
    for (;;) {
        watch_.arm();
        auto arguments = place_->arguments(false);
        arguments.add_number(static_cast<std::int64_t>(passed));
        const reply answers = co_await redis_->call_tracked(place_->find("due"), arguments);
        const auto answer = answers.back();
        const auto now = to_time(answer[0]);
        if (!now)
            throw_unexpected_answer("a time that is none");
        std::vector<firing> due;
        auto found = passed;
        for (auto i = words_before; i + words_of_due <= answer.size(); i += words_of_due, ++found)
            if (auto each = decide(answer, i, std::chrono::floor<std::chrono::seconds>(*now)))
                due.push_back(*std::move(each));
        if (!due.empty()) {
            co_await fire(due);
            co_return;
        }
        if (found == passed + most_due) { // there may be others behind them
            passed = found;
            continue;
        }
        passed = 0;
        auto until = polls_.next(*redis_, redis_->options().poll_interval);
        if (answer.integer(2) == 0 && redis_->tracks())
            until = clock::now() + pause_without_schedules;
        if (const auto next = to_time(answer[1]); next && *next >= timestamp{} && *next < timestamp{1h})
            until = std::min(until, clock::now() + 1ms + next->time_since_epoch());
        co_await watch_.wait_until(until);
    }
}

/// Nothing for a schedule that this process cannot carry out, since it lacks the time zone, say: another one may.
std::optional<schedule_runner::firing> schedule_runner::decide(const reply::answer& words, std::size_t first,
                                                               std::chrono::sys_seconds now)
{
    const auto due = to_time(words[first + 1]);
    if (!due)
        return std::nullopt;
    firing result{std::string{words[first]}, {}};
    result.words = {result.name, std::string{words[first + 2]}, std::string{words[first + 1]}};
    if (words[first + 2].empty()) { // only its name is left: the script forgets that
        result.words.push_back("inf");
        return result;
    }
    try {
        if (const auto owed = to_time(words[first + 8])) // it was paused then
            now = std::min(now, std::chrono::floor<std::chrono::seconds>(*owed));
        auto when = to_schedule(words[first + 3], words[first + 4], words[first + 5], words[first + 6],
                                words[first + 7]);
        read_bounds(when, words[first + 9], words[first + 10], "", ""); // the script counts the runs
        if (words[first + 8] == "none") { // Redis' clock was set back: only its next time has to be found
            result.words.push_back(to_word(schedule_rule{when}.next(now)));
            return result;
        }
        const auto turn =
            take_turn(schedule_rule{when}, when.missed, std::chrono::floor<std::chrono::seconds>(*due), now);
        result.words.push_back(to_word(turn.next));
        for (const auto run : turn.runs)
            result.words.push_back(to_word(run));
        return result;
    } catch (const system_error& error) {
        redis_->warn_once("schedule '" + result.name + "' cannot be carried out here: " + error.what());
        return std::nullopt;
    }
}

/// What was done by another one meanwhile is left alone.
asio::awaitable<void> schedule_runner::fire(const std::vector<firing>& due)
{
    auto arguments = place_->arguments(true);
    for (const auto& each : due) {
        arguments.add_number(static_cast<std::int64_t>(each.words.size()));
        for (const auto& word : each.words)
            arguments.add(word);
    }
    const reply answers = co_await redis_->call(place_->find("fire"), arguments, patience::unlimited);
    for (std::size_t i = 0; i != due.size(); ++i) {
        const auto done = reply::part(answers.back(), i);
        if (done.size() == 3 && !done[2].empty())
            redis_->warn("schedule '" + due[i].name + "' could not push its job: " + std::string{done[2]});
    }
}

} // namespace coworker::detail
