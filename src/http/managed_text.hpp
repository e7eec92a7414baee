// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_job.hpp"
#include "coworker/managed_statistics.hpp"

#include <string>
#include <string_view>

/// What is said of jobs of managed queues, as JSON.
namespace coworker::detail {

/// @param day  "2026-11-21"
std::string describe(const managed_statistics& statistics, std::string_view day);

/// @param state  where the job was found: the record of one whose lease has ended says running
std::string describe(const managed_job& job, std::string_view state);
std::string describe(const recurring_job& job);

} // namespace coworker::detail
