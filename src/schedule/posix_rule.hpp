// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace coworker::detail {

/// A time during which a zone's clocks go so much before UTC.
struct zone_period
{
    std::chrono::sys_seconds begin, end; ///< `end` does not belong to it
    std::chrono::seconds offset;
};

inline constexpr auto beginning_of_time = std::chrono::sys_seconds::min();
inline constexpr auto end_of_time = std::chrono::sys_seconds::max();

/// What holds year after year, as at the end of a zone's file: "CET-1CEST,M3.5.0,M10.5.0/3".
class posix_rule
{
public:
    /// Nothing for anything that is no such rule.
    static std::optional<posix_rule> parse(std::string_view text);

    /// What holds at an instant.
    zone_period at(std::chrono::sys_seconds when) const;

private:
    friend class rule_reader;

    /// A day of each year, and the time of that day, by the clock that goes until then.
    struct yearly
    {
        enum class kind
        {
            without_leap_day, ///< 1 to 365; February 29 is not counted
            day_of_year,      ///< 0 to 365
            weekday,          ///< of a week of a month
        };
        kind what = kind::weekday;
        unsigned month = 1, week = 1, day = 0;
        std::chrono::seconds time{0};

        std::chrono::sys_seconds in(std::chrono::year year) const;
    };

    std::chrono::seconds standard_{0};
    std::chrono::seconds summer_{0};
    bool has_summer_ = false;
    yearly summer_begins_, summer_ends_;
};

} // namespace coworker::detail
