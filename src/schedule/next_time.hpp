// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/run_times.hpp"
#include "schedule/cron_line.hpp"
#include "schedule/time_zone.hpp"

#include <optional>

namespace coworker::detail {

/// The first run of a line later than `after`. Nothing if there is none within a century.
///
/// As in Vixie cron, a line whose minute or hour begins with `*` runs whenever a clock on the wall shows its time:
/// never in an hour that is left out, and in both of a repeated one. Any other line runs once for each of its times: at
/// the switch for those that are left out, and the first time for those that come twice. What a zone leaves out for
/// more than three hours, such as a whole day, has never been.
std::optional<std::chrono::sys_seconds> next_time(const cron_line& line, const time_zone& zone,
                                                  std::chrono::sys_seconds after);

/// A schedule whose parts were read and checked.
class schedule_rule
{
public:
    /// @throws system_error  `errc::invalid_option`: which member, and what is allowed.
    explicit schedule_rule(const schedule& when);

    /// The first run later than `after`. Nothing if there is none within a century.
    std::optional<std::chrono::sys_seconds> next(std::chrono::sys_seconds after) const;

private:
    std::optional<std::chrono::sys_seconds> next_unbounded(std::chrono::sys_seconds after) const;

    std::optional<cron_line> line_; ///< none: an interval
    time_zone zone_;
    std::chrono::seconds every_;
    std::chrono::sys_seconds anchor_;
    std::optional<std::chrono::sys_seconds> begin_, end_;
};

} // namespace coworker::detail
