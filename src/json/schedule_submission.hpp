// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/run_times.hpp"
#include "json/managed_submission.hpp"
#include "json/option_value.hpp"

#include <chrono>
#include <string>
#include <string_view>

/// A schedule as it comes over HTTP: {"cron": "@daily", "queue": "reports", "kind": "Report"}.
namespace coworker::detail {

struct schedule_submission : managed_submission
{
    schedule when{};
    std::string queue{};
};

/// One of a list queue, whose name stands elsewhere: {"every": "1h", "payload": 7}.
struct list_schedule_submission
{
    schedule when{};
    raw_json job{};
};

// What reads members of a schedule, and flags for them.

std::chrono::seconds member_whole_seconds(const std::string& name, std::string_view json);
missed_runs member_missed_runs(const std::string& name, std::string_view json);

/// What may become of runs that were missed.
const option_words<missed_runs>& words_of_missed_runs();

/// @throws refusal
schedule_submission read_schedule_submission(const std::string& body);
/// @throws refusal
list_schedule_submission read_list_schedule_submission(const std::string& body);

} // namespace coworker::detail
