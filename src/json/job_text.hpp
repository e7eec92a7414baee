// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/job_info.hpp"
#include "coworker/inspect/schedule_info.hpp"
#include "text/json_object.hpp"

/// A job as JSON: the same wherever it is shown.
namespace coworker::detail {

/// A job of either kind of queue, with what is known of it.
json_object describe(const job_info& job, json_for reader = json_for::programs);

/// A recurring job, with the members of a job of a managed queue.
json_object describe(const schedule_info& schedule, json_for reader = json_for::programs);

/// What a job has waited for, as `job_signals` has it.
void add_signals(json_object& out, std::string_view received, std::string_view slept,
                 std::string_view ended_jobs);

/// A time as a number of seconds.
double in_seconds(std::chrono::milliseconds time);

} // namespace coworker::detail
