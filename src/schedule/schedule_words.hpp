// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/run_times.hpp"
#include "schedule/next_time.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// How schedules are written in Redis.
namespace coworker::detail {

/// Whole seconds since 1970.
std::string to_word(std::chrono::sys_seconds when);
/// Of the next run; there may be none.
std::string to_word(std::optional<std::chrono::sys_seconds> when);

/// Seconds with a fraction, down to the microsecond. Nothing for anything else, such as "inf".
std::optional<timestamp> to_time(std::string_view word);

/// The five words: cron, zone, every, anchor, missed.
std::vector<std::string> to_words(const schedule& when);
schedule to_schedule(std::string_view cron, std::string_view zone, std::string_view every,
                     std::string_view anchor, std::string_view missed);

/// The four words: begin, end, most_runs, jitter. Empty: there is none.
std::vector<std::string> bounds_to_words(const schedule& when);
void read_bounds(schedule& into, std::string_view begin, std::string_view end, std::string_view most_runs,
                 std::string_view jitter);

} // namespace coworker::detail
