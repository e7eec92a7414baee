// SPDX-License-Identifier: MIT
#include "program/commands/job_line.hpp"

#include "program/exit_code.hpp"
#include "program/queue_name.hpp"
#include "program/terminal/text_functions.hpp"
#include "text/json_object.hpp"
#include "text/json_spans.hpp"
#include "text/numbers.hpp"

#include <coworker/managed_details.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

namespace coworker::program {
namespace {

using member_texts = std::map<std::string, std::string_view>;

/// What is wrong with a line.
struct no_answer
{
    std::string problem;
};

std::string text_member(const member_texts& members, const std::string& name)
{
    const auto found = members.find(name);
    if (found == members.end() || found->second == "null")
        return {};
    if (found->second.front() != '"')
        throw no_answer{"its member '" + name + "' is no text"};
    return detail::string_of(found->second);
}

std::optional<std::chrono::milliseconds> delay_member(const member_texts& members)
{
    constexpr double most = 10 * 365 * 86'400.0;
    const auto found = members.find("delay");
    if (found == members.end() || found->second == "null")
        return std::nullopt;
    const auto delay = detail::to_number<double>(found->second);
    if (!delay || !(*delay >= 0 && *delay <= most))
        throw no_answer{"its member 'delay' is no number of seconds"};
    return std::chrono::milliseconds{std::llround(*delay * 1000)};
}

/// What is beyond 0 and 1 comes from rounding as a rule, and is cut off later.
double progress_in(std::string_view text)
{
    const auto progress = detail::to_number<double>(text);
    if (!progress)
        throw no_answer{"its member 'progress' is no number"};
    return *progress;
}

/// Where a job goes on.
std::string queue_member(const member_texts& members)
{
    const auto text = text_member(members, "queue");
    if (text.empty())
        throw no_answer{"it has no member 'queue', which says where the job goes on"};
    try {
        const auto queue = parse_queue_name(text);
        if (queue.is_managed() || text == queue.name()) // without managed: it can mean nothing else
            return queue.name();
    } catch (const failure&) { // of its length
    }
    throw no_answer{"its member 'queue' names no managed queue: " + escaped(text.substr(0, 100))};
}

std::optional<raw_json> json_member(const member_texts& members, const std::string& name)
{
    const auto found = members.find(name);
    if (found == members.end())
        return std::nullopt;
    return raw_json{std::string{found->second}};
}

member_texts members_in(std::string_view line)
{
    const auto json = detail::trimmed(line);
    if (json.empty() || json.front() != '{' || !detail::is_json(json))
        throw no_answer{"it is no JSON object: " + shortened(escaped(line.substr(0, 200)), 100)};
    member_texts members;
    for (const auto& each : detail::members_of(json))
        members.insert_or_assign(each.name, each.value);
    return members;
}

outcome outcome_of(const member_texts& members, bool is_managed)
{
    const auto word = text_member(members, "outcome");
    const auto reason = text_member(members, "reason");
    if (word == "success") {
        outcome::managed_part more;
        if (is_managed)
            more.value = json_member(members, "result");
        return outcome{outcome::kind::success, {}, std::nullopt, std::move(more)};
    }
    if (word == "release")
        return release();
    if (word == "forward" && is_managed) {
        return forward(queue_member(members),
                       {.delay = delay_member(members).value_or(std::chrono::milliseconds{0}),
                        .data = json_member(members, "data")});
    }
    if (word == "retry")
        return retry(reason.empty() ? "the process gave no reason" : escaped(reason), delay_member(members));
    if (word == "failure")
        return coworker::failure(reason.empty() ? "the process gave no reason" : escaped(reason));
    throw no_answer{
        word.empty()
            ? "it has no member 'outcome'"
            : "its 'outcome' is not success, retry, failure, release or, in managed queues, forward: " +
                  escaped(word.substr(0, 50))};
}

/// What workers over HTTP get as well, under the same names.
void add_managed(detail::json_object& out, const managed_details& job)
{
    out.text("kind", job.kind)
        .number("priority", job.priority)
        .number("retries_left", job.remaining)
        .texts("tags", job.tags);
    if (job.timeout)
        out.number("timeout_seconds", std::chrono::duration<double>{*job.timeout}.count());
    if (!job.metadata.empty())
        out.texts_by_name("metadata", job.metadata);
    if (!job.batch.empty())
        out.text("batch", job.batch);
    if (!job.parents.empty())
        out.texts("parents", job.parents);
}

std::vector<detail::effect_submission> effects_in(const member_texts& members, const outcome& result,
                                                  bool is_managed)
{
    const auto found = members.find("effects");
    if (found == members.end() || found->second == "null")
        return {};
    if (result.what() != outcome::kind::success && result.what() != outcome::kind::forward)
        throw no_answer{"its member 'effects' goes with success and forward only"};
    try {
        return detail::read_effects(found->second,
                                    {.kind = is_managed ? queue_kind::managed : queue_kind::list});
    } catch (const detail::refusal& refused) {
        throw no_answer{escaped(refused.detail)};
    }
}

} // namespace

std::string job_line(std::string_view data, const job_context& context, const std::string& queue,
                     std::string_view checkpoint)
{
    detail::json_object out;
    out.text("id", context.id()).text("queue", queue).number("attempt", context.attempt());
    if (const auto* managed = context.details<managed_details>())
        add_managed(out, *managed);
    if (const auto queued = context.queued_at())
        out.time("queued_at", queued);
    if (!checkpoint.empty())
        out.json("checkpoint", checkpoint);
    out.json_or_text("data", data);
    auto line = out.str();
    // Between the values of a JSON text; within strings they are escaped.
    std::replace(line.begin(), line.end(), '\n', ' ');
    std::replace(line.begin(), line.end(), '\r', ' ');
    return line;
}

said_line read_line(std::string_view line, std::string_view id, std::string_view before, line_rules rules)
{
    said_line said;
    try {
        const auto members = members_in(line);
        const auto about = text_member(members, "id");
        const bool is_progress =
            !members.contains("outcome") && !members.contains("checkpoint") && members.contains("progress");
        if (about != id && about == before && is_progress) {
            said.is_late = true;
        } else if (about != id) {
            throw no_answer{about.empty() ? "it has no member 'id'"
                                          : "it is for another job: " + escaped(about.substr(0, 100))};
        } else if (members.contains("outcome")) {
            said.result = outcome_of(members, rules.is_managed);
            said.effects = effects_in(members, *said.result, rules.is_managed);
        } else if (members.contains("checkpoint")) {
            if (!rules.is_managed)
                throw no_answer{"it is a checkpoint, which list queues do not keep"};
            said.checkpoint = json_member(members, "checkpoint");
        } else if (is_progress) {
            said.progress = progress_in(members.at("progress"));
            said.message = text_member(members, "message");
        } else {
            throw no_answer{"it has no member 'outcome', 'progress' or 'checkpoint'"};
        }
    } catch (const no_answer& what) {
        said = {};
        said.problem = what.problem;
    }
    return said;
}

std::string saved_line(std::string_view id, const std::string& why_not)
{
    detail::json_object out;
    out.text("id", id).boolean("saved", why_not.empty());
    if (!why_not.empty())
        out.text("reason", why_not);
    return out.str();
}

} // namespace coworker::program
