// SPDX-License-Identifier: MIT
#include "schedule/next_time.hpp"
#include "text/plain_text.hpp"

#include "coworker/error.hpp"

#include <algorithm>

namespace coworker {
namespace detail {
namespace {

using namespace std::chrono_literals;
using std::chrono::sys_seconds;

constexpr std::chrono::days hundred_years{36525};

/// What a zone leaves out for longer than this is not made up for.
constexpr auto longest_gap = 3h;

/// Beyond this no calendar is of use.
constexpr sys_seconds last_time = std::chrono::sys_days{std::chrono::year{9999} / 1 / 1};

wall_time on_wall(sys_seconds when, std::chrono::seconds offset)
{
    return wall_time{when.time_since_epoch() + offset};
}

sys_seconds off_wall(wall_time when, std::chrono::seconds offset)
{
    return sys_seconds{when.time_since_epoch() - offset};
}

/// The first run in a period that follows another one: what the switch between them leaves out is made up for, and what
/// it repeats has been.
std::optional<sys_seconds> next_behind_switch(const cron_line& line, const zone_period& period,
                                              std::chrono::seconds old_offset, sys_seconds after,
                                              sys_seconds end)
{
    const auto shown_before = on_wall(period.begin, old_offset), shown = on_wall(period.begin, period.offset);
    if (shown_before < shown && shown - shown_before <= longest_gap && after < period.begin &&
        line.find(shown_before, shown))
        return period.begin;
    const auto from = std::max(on_wall(std::max(after + 1s, period.begin), period.offset), shown_before);
    if (const auto found = line.find(from, on_wall(end, period.offset)))
        return off_wall(*found, period.offset);
    return std::nullopt;
}

std::optional<sys_seconds> next_in(const cron_line& line, const zone_period& period, sys_seconds after,
                                   sys_seconds end)
{
    const auto from = on_wall(std::max(after + 1s, period.begin), period.offset);
    if (const auto found = line.find(from, on_wall(end, period.offset)))
        return off_wall(*found, period.offset);
    return std::nullopt;
}

} // namespace

std::optional<sys_seconds> next_time(const cron_line& line, const time_zone& zone, sys_seconds after)
{
    const auto horizon = after + hundred_years;
    for (auto period = zone.at(after);; period = zone.at(period.end)) {
        const auto end = std::min(period.end, horizon);
        const bool is_first = period.begin == beginning_of_time;
        const auto found =
            line.follows_clock() || is_first
                ? next_in(line, period, after, end)
                : next_behind_switch(line, period, zone.at(period.begin - 1s).offset, after, end);
        if (found || end == horizon)
            return found;
    }
}

schedule_rule::schedule_rule(const schedule& when)
    : every_{when.every}, anchor_{std::chrono::floor<std::chrono::seconds>(when.anchor)}
{
    if (when.cron.empty() == (when.every == 0s))
        throw explained_error{errc::invalid_option,
                              "a schedule has either a cron line or an interval ('every')"};
    if (when.begin)
        begin_ = std::chrono::ceil<std::chrono::seconds>(*when.begin);
    if (when.end)
        end_ = std::chrono::floor<std::chrono::seconds>(*when.end);
    if (begin_ && end_ && *end_ < *begin_)
        throw explained_error{errc::invalid_option, "end: it is before 'begin', so there would be no run"};
    if (when.jitter < 0s)
        throw explained_error{errc::invalid_option, "jitter: it is at least 0 seconds"};
    if (when.cron.empty()) {
        if (every_ < 1s)
            throw explained_error{errc::invalid_option, "every: an interval is at least 1 second"};
        return;
    }
    line_ = cron_line::parse(when.cron);
    zone_ = time_zone::load(when.zone);
    // any century has all kinds of years
    if (!line_->find(wall_time{}, wall_time{hundred_years}))
        throw explained_error{errc::invalid_option, "cron: no day is ever one of " + in_quotes(when.cron)};
}

std::optional<sys_seconds> schedule_rule::next(sys_seconds after) const
{
    const auto found = next_unbounded(begin_ ? std::max(after, *begin_ - 1s) : after);
    return found && end_ && *found > *end_ ? std::nullopt : found;
}

std::optional<sys_seconds> schedule_rule::next_unbounded(sys_seconds after) const
{
    if (after >= last_time)
        return std::nullopt;
    after = std::max(after, sys_seconds{-std::chrono::days{36525}});
    if (line_)
        return next_time(*line_, zone_, after);
    const auto gone = after - anchor_;
    auto turns = gone / every_;
    if (gone < 0s && gone % every_ != 0s)
        --turns; // rounded down
    return anchor_ + (turns + 1) * every_;
}

} // namespace detail

std::vector<timestamp> next_times(const schedule& when, timestamp after, std::size_t count)
{
    const detail::schedule_rule rule{when};
    std::vector<timestamp> times;
    auto last = std::chrono::floor<std::chrono::seconds>(after);
    while (times.size() < count) {
        const auto next = rule.next(last);
        if (!next)
            break;
        times.push_back(*next);
        last = *next;
    }
    return times;
}

} // namespace coworker
