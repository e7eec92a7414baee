// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/job_info.hpp"
#include "coworker/inspect/schedule_info.hpp"
#include "coworker/job_limits.hpp"
#include "coworker/managed_job.hpp"
#include "coworker/managed_statistics.hpp"
#include "text/json_object.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

/// What is said of jobs of managed queues, as JSON.
namespace coworker::detail {

double in_seconds(std::chrono::milliseconds time);

json_object describe_use(const limit_use& limit);
/// What was given with a job, and is told of a single one.
std::string describe_options(const job_options& options);

/// @param day  "2026-11-21"
std::string describe(const managed_statistics& statistics, std::string_view day);

/// @param state  where the job was found: the record of one whose lease has ended says running
/// @param due  when it may run, if it is scheduled
std::string describe(const managed_job& job, std::string_view state, std::optional<timestamp> due);
std::string describe(const schedule_info& schedule);

} // namespace coworker::detail
