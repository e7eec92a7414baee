// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/next_time.hpp"

#include <vector>

namespace coworker::detail {

/// What is to be done when a schedule is due.
struct turn
{
    std::vector<std::chrono::sys_seconds> runs;   ///< that take place now, the oldest first
    std::optional<std::chrono::sys_seconds> next; ///< the first behind what is done; may be due as well
};

/// How late a run may be that still takes place where missed ones are skipped.
inline constexpr std::chrono::seconds lateness_allowed{60};

/// At most so many runs in one turn.
inline constexpr std::size_t max_runs = 64;

/// Decides what to do with a schedule that is due since `due`, which is not later than `now`.
turn take_turn(const schedule_rule& rule, missed_runs missed, std::chrono::sys_seconds due,
               std::chrono::sys_seconds now);

} // namespace coworker::detail
