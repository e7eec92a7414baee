// SPDX-License-Identifier: MIT
#pragma once

#include <coworker/job_context.hpp>
#include <coworker/outcome.hpp>

#include <optional>
#include <string>
#include <string_view>

/// What a job is to a process that gets many, a line of JSON each, and what its answer is to the job.
namespace coworker::program {

/// {"id":…,"queue":…,"attempt":…,"data":…}, without the end of the line.
///
/// @param data  the job's JSON text; in managed queues it may be any bytes
/// @param queue  as it is named on the command line
std::string job_line(std::string_view data, const job_context& context, const std::string& queue);

/// A process' answer to a line.
struct line_answer
{
    std::optional<outcome> result; ///< empty: it is no answer to that line
    std::string problem{};         ///< then: what is wrong with it, for people
};

/// @param id  the job's
/// @param is_managed  whether its queue keeps results
line_answer read_answer(std::string_view line, std::string_view id, bool is_managed);

} // namespace coworker::program
