#pragma once

#include "process/command.hpp"

#include <coworker/job_context.hpp>
#include <coworker/outcome.hpp>

#include <string>
#include <vector>

/// What a job is to the command that is run for it, and what the command's end is to the job.
namespace coworker::cli {

/// "COWORKER_JOB_ID=…" and so on.
///
/// @param queue  as it is named on the command line
std::vector<std::string> job_variables(const job_context& context, const std::string& queue);

/// 0: success; 75, which is EX_TEMPFAIL of sysexits.h: retry; any other way to end: failure.
outcome job_outcome(const command_end& end);

} // namespace coworker::cli
