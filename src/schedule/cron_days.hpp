// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace coworker::detail {

/// The days that a cron line names, by its two fields: the day of the month and the day of the week.
class cron_days
{
public:
    /// @throws system_error  `errc::invalid_option`, which names the field and what it may hold.
    static cron_days parse(std::string_view days, std::string_view weekdays);

    /// A day fits if either field names it; if one of them begins with `*`, it has to fit both.
    bool names(const std::chrono::year_month_day& date) const;

private:
    void read_day(std::string_view text);
    void read_weekday(std::string_view text);
    bool fits_day(const std::chrono::year_month_day& date) const;
    bool fits_weekday(const std::chrono::year_month_day& date) const;

    // a bit for each value
    std::uint64_t days_ = 0;
    std::uint64_t before_last_ = 0; ///< L-n: so many days before the last one of the month; 0 is that day
    std::uint64_t nearest_ = 0;     ///< nW: the day from Monday to Friday that is nearest; 0 stands for LW
    std::uint64_t weekdays_ = 0;    ///< 0 to 6, from Sunday
    /// Weekdays of certain weeks: of the first (mon#1) to the fifth, and at 0 the last of the month (friL).
    std::array<std::uint64_t, 6> in_week_{};
    // the field restricts nothing, or begins with `*`
    bool any_day_ = false;
    bool any_weekday_ = false;
};

} // namespace coworker::detail
