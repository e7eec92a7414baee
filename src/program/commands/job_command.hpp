// SPDX-License-Identifier: MIT
#pragma once

#include "exec/command.hpp"

#include <coworker/job_context.hpp>
#include <coworker/managed_details.hpp>
#include <coworker/outcome.hpp>

#include <string>
#include <vector>

/// What a job is to the command that is run for it, and what the command's end is to the job.
namespace coworker::program {

/// "COWORKER_JOB_ID=…" and so on. What is longer than commands can be started with is left out.
///
/// @param queue  as it is named on the command line
std::vector<std::string> job_variables(const job_context& context, const std::string& queue);

/// The members of a log's line that say of which job it is, as a JSON object.
std::string job_members(const job_context& context, const std::string& queue);

/// Exit status 0: success; one of `final_statuses`: failure; any other way to end: retry.
outcome job_outcome(const exec::command_end& end, const std::vector<int>& final_statuses);

} // namespace coworker::program
