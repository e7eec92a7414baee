// SPDX-License-Identifier: MIT
#include "schedule/schedule_words.hpp"
#include "text/bounded_time.hpp"

#include "text/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace coworker {
namespace {

constexpr std::array<std::string_view, 3> policies = {"skip", "once", "all"}; // in the order of missed_runs

} // namespace

std::string_view to_string(missed_runs missed) noexcept
{
    return policies[static_cast<std::size_t>(missed)];
}

std::optional<missed_runs> parse_missed_runs(std::string_view name) noexcept
{
    const auto policy = std::ranges::find(policies, name);
    if (policy == policies.end())
        return std::nullopt;
    return static_cast<missed_runs>(policy - policies.begin());
}

} // namespace coworker

namespace coworker::detail {
namespace {

std::chrono::seconds to_seconds(std::string_view word)
{
    std::int64_t seconds = 0;
    std::from_chars(word.data(), word.data() + word.size(), seconds);
    return std::chrono::floor<std::chrono::seconds>(bounded_time(seconds).time_since_epoch());
}

} // namespace

std::string to_word(std::chrono::sys_seconds when)
{
    return std::to_string(when.time_since_epoch().count());
}

std::string to_word(std::optional<std::chrono::sys_seconds> when)
{
    return when ? to_word(*when) : "inf";
}

std::optional<timestamp> to_time(std::string_view word)
{
    constexpr double most = 1e12;
    const auto seconds = to_number<double>(word);
    return seconds && std::abs(*seconds) < most ? std::optional{bounded_time(*seconds)} : std::nullopt;
}

std::vector<std::string> to_words(const schedule& when)
{
    const auto anchor = std::chrono::floor<std::chrono::seconds>(when.anchor);
    return {when.cron.str(), when.cron.empty() ? "UTC" : when.zone.str(), std::to_string(when.every.count()),
            to_word(when.cron.empty() ? anchor : std::chrono::sys_seconds{}),
            std::string{to_string(when.missed)}};
}

schedule to_schedule(std::string_view cron, std::string_view zone, std::string_view every,
                     std::string_view anchor, std::string_view missed)
{
    schedule when{.cron = cron, .zone = zone, .every = to_seconds(every)};
    when.anchor = timestamp{to_seconds(anchor)};
    when.missed = parse_missed_runs(missed).value_or(missed_runs::once);
    return when;
}

std::vector<std::string> bounds_to_words(const schedule& when)
{
    using namespace std::chrono;
    return {when.begin ? to_word(ceil<seconds>(*when.begin)) : "",
            when.end ? to_word(floor<seconds>(*when.end)) : "",
            when.most_runs != 0 ? std::to_string(when.most_runs) : "",
            when.jitter != seconds{0} ? std::to_string(when.jitter.count()) : ""};
}

void read_bounds(schedule& into, std::string_view begin, std::string_view end, std::string_view most_runs,
                 std::string_view jitter)
{
    into.begin = to_time(begin);
    into.end = to_time(end);
    into.most_runs = to_number<std::uint64_t>(most_runs).value_or(0);
    into.jitter = to_seconds(jitter);
}

} // namespace coworker::detail
