// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/cron_days.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace coworker::detail {

/// A clock on a wall: local time, which knows neither its zone nor daylight saving.
using wall_time = std::chrono::local_time<std::chrono::seconds>;

/// A cron line: the times of wall clocks that it names.
class cron_line
{
public:
    /// Reads five fields, six with the seconds in front, or a nickname such as "@daily".
    /// @throws system_error  `errc::invalid_option`, which names the field and what it may hold.
    static cron_line parse(std::string_view text);

    /// Minute or hour begin with `*`. Such a line follows the clock through a switch of daylight saving; any other
    /// names certain times of a day, and runs once for each of them.
    bool follows_clock() const noexcept { return any_minute_ || any_hour_; }

    /// The first time that it names, from `from` on and before `end`.
    std::optional<wall_time> find(wall_time from, wall_time end) const;

private:
    std::optional<std::chrono::seconds> find_in_day(std::chrono::seconds from) const;

    // a bit for each value
    std::uint64_t seconds_ = 1;
    std::uint64_t minutes_ = 0;
    std::uint64_t hours_ = 0;
    std::uint64_t months_ = 0;
    cron_days days_{};
    // the field begins with `*`
    bool any_minute_ = false;
    bool any_hour_ = false;
};

} // namespace coworker::detail
