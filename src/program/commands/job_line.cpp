// SPDX-License-Identifier: MIT
#include "program/commands/job_line.hpp"

#include "program/terminal/text_functions.hpp"
#include "text/json_object.hpp"
#include "text/json_spans.hpp"
#include "json/run_report.hpp"
#include "json/run_text.hpp"

#include <coworker/managed_details.hpp>

#include <algorithm>

namespace coworker::program {
namespace {

using detail::refuse_body;

/// Of a process that says why, or does not.
std::string message_of(const outcome& result)
{
    return result.reason().empty() ? "the process gave no reason" : escaped(result.reason());
}

/// Texts for a log, which a terminal may show.
outcome with_plain_message(outcome result, const detail::run_report& said)
{
    if (result.what() == outcome::kind::retry)
        return retry(message_of(result), said.delay, said.group);
    if (result.what() == outcome::kind::failure)
        return coworker::failure(message_of(result), said.group);
    return result;
}

detail::run_report read_object(std::string_view line)
{
    const auto json = detail::trimmed(line);
    if (json.empty() || json.front() != '{' || !detail::is_json(json))
        refuse_body("it is no JSON object: " + shortened(escaped(line.substr(0, 200)), 100));
    return detail::read_report_line(json);
}

void read_end(said_line& into, const detail::run_report& said, line_rules rules)
{
    const detail::effect_rules which{.kind = rules.is_managed ? queue_kind::managed : queue_kind::list};
    auto told = detail::read_outcome(said, which);
    into.result = with_plain_message(std::move(told.result), said);
    into.effects = std::move(told.effects);
}

void read_step(said_line& into, const detail::run_report& said, line_rules rules)
{
    if (!rules.is_managed)
        refuse_body("it is a step, which list queues do not keep");
    if (!said.value)
        refuse_body("it is a step without a member 'value'");
    into.step = said.step;
    into.value = *said.value;
}

/// @throws refusal
said_line read_said(const detail::run_report& said, std::string_view id, std::string_view before,
                    line_rules rules)
{
    said_line result;
    const bool is_other = !said.outcome.empty() || said.checkpoint || !said.step.empty();
    const bool is_progress = !is_other && (said.progress || !said.log.empty());
    if (said.id != id && said.id == before && is_progress)
        result.is_late = true;
    else if (said.id.empty())
        refuse_body("it has no member 'id'");
    else if (said.id != id)
        refuse_body("it is for another job: " + escaped(said.id.substr(0, 100)));
    else if (!said.outcome.empty())
        read_end(result, said, rules);
    else if (said.checkpoint && !rules.is_managed)
        refuse_body("it is a checkpoint, which list queues do not keep");
    else if (said.checkpoint)
        result.checkpoint = said.checkpoint;
    else if (!said.step.empty())
        read_step(result, said, rules);
    else if (is_progress) {
        result.progress =
            said.progress; // what is beyond 0 and 1 comes from rounding as a rule, and is cut off
        result.message = said.message;
        result.log = said.log;
    } else
        refuse_body("it has no member 'outcome', 'progress', 'log', 'checkpoint' or 'step'");
    return result;
}

} // namespace

std::string job_line(std::string_view payload, const job_context& context, const std::string& queue,
                     std::string_view checkpoint, const std::map<std::string, std::string>& steps,
                     const job_signals& signals)
{
    detail::job_run job;
    job.id = context.id();
    job.queue = queue;
    job.attempt = context.attempt();
    job.payload = payload;
    job.checkpoint = checkpoint;
    job.steps = &steps;
    job.signals = signals.received;
    job.slept = signals.slept;
    job.ended_jobs = signals.ended_jobs;
    job.managed = context.details<managed_details>();
    job.queued_at = context.queued_at();
    auto line = detail::describe(job).str();
    // Between the values of a JSON text; within strings they are escaped.
    std::replace(line.begin(), line.end(), '\n', ' ');
    std::replace(line.begin(), line.end(), '\r', ' ');
    return line;
}

said_line read_line(std::string_view line, std::string_view id, std::string_view before, line_rules rules)
{
    try {
        return read_said(read_object(line), id, before, rules);
    } catch (const detail::refusal& refused) {
        said_line unusable;
        unusable.problem = escaped(refused.detail);
        return unusable;
    }
}

std::string saved_line(std::string_view id, const std::string& why_not)
{
    detail::json_object out;
    out.text("id", id).boolean("saved", why_not.empty());
    if (!why_not.empty())
        out.text("message", why_not);
    return out.str();
}

} // namespace coworker::program
