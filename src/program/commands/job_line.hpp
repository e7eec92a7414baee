// SPDX-License-Identifier: MIT
#pragma once

#include "json/effect_submission.hpp"
#include <coworker/job.hpp>
#include <coworker/job_context.hpp>
#include <coworker/outcome.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a job is to a process that gets many, a line of JSON each, and what the process' lines are to the job.
namespace coworker::program {

/// {"id":…,"queue":…,"attempt":…,"payload":…}, without the end of the line.
///
/// @param payload  the job's JSON text; in managed queues it may be any bytes
/// @param queue  as it is named on the command line
/// @param checkpoint  what an earlier attempt stored, JSON; empty: nothing
/// @param steps  those that earlier attempts stored, JSON by name
/// @param signals  those of the job, and what it has waited for
std::string job_line(std::string_view payload, const job_context& context, const std::string& queue,
                     std::string_view checkpoint, const std::map<std::string, std::string>& steps,
                     const job_signals& signals);

/// What a process says of its job.
struct said_line
{
    std::optional<outcome> result{};                  ///< the job has ended: the answer
    std::vector<detail::effect_submission> effects{}; ///< what is carried out with that
    std::optional<double> progress{};                 ///< how far it is, from 0 to 1
    std::string message{};                            ///< the same for people
    text_list log{};                                  ///< lines for people
    std::optional<raw_json> checkpoint{};             ///< where a later attempt may go on
    std::string step{};                               ///< a step that was carried out
    raw_json value{};                                 ///< its value
    bool is_late = false;  ///< of the job before, which has ended: nothing has to be done
    std::string problem{}; ///< it is none of these: what is wrong with it, for people
};

/// What may be said of a job.
struct line_rules
{
    bool is_managed = false;  ///< its queue keeps results, checkpoints and steps, and forwards
    bool checkpoints = false; ///< they are stored
};

/// @param id  the job's
/// @param before  that of the job before, which a thread may still talk about
said_line read_line(std::string_view line, std::string_view id, std::string_view before, line_rules rules);

/// The answer to a checkpoint or a step, without the end of the line. `why_not` is empty if it is stored.
std::string saved_line(std::string_view id, const std::string& why_not);

} // namespace coworker::program
