// SPDX-License-Identifier: MIT
#include "json/job_text.hpp"

#include "text/base64.hpp"
#include "text/json_spans.hpp"
#include "text/times.hpp"
#include "json/queue_words.hpp"
#include "json/shown_options.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

/// A job that is complete is in no queue any more: then the last one.
std::string queue_of(const job_info& job)
{
    if (!job.queue.name().empty() || !job.record)
        return call_queue(job.queue);
    const auto& history = job.record->history;
    const auto last =
        std::find_if(history.rbegin(), history.rend(), [](const auto& each) { return !each.queue.empty(); });
    return last == history.rend() ? std::string{} : call_managed_queue(last->queue);
}

/// The payload; as a text if some client has stored what is not JSON, or if it does not decode.
void add_payload(json_object& out, const std::string& json, const std::string& bytes)
{
    out.json_or_null("payload", json);
    if (!is_json(json))
        out.text("text", bytes.empty() ? json : bytes);
}

/// Why the job failed or is broken; of one that runs again, why it failed before.
void add_failure(json_object& out, const job_info& job, json_for reader)
{
    const bool has_failed = job.state == job_state::failed || job.state == job_state::broken;
    json_object failure{reader};
    if (job.record && job.record->failure) {
        const auto& of = *job.record->failure;
        failure.text_if_any("group", of.group).text("message", of.message).time("failed_at", of.when);
        failure.text_if_any("worker", of.worker);
    } else if (has_failed || !job.message.empty()) {
        failure.text_if_any("group", job.group).text("message", job.message);
        failure.time("failed_at", job.ended_at).null("worker");
    } else {
        out.null("failure");
        return;
    }
    out.object("failure", failure);
}

json_object describe(const managed_history_entry& entry, json_for reader)
{
    json_object out{reader};
    out.text("what", entry.what)
        .text("at", format_rfc3339(entry.when, 0)) // qless stores whole seconds
        .text_if_any("queue", call_managed_queue(entry.queue))
        .text_if_any("worker", entry.worker)
        .text_if_any("group", entry.group)
        .json_or_null("details", entry.details);
    return out;
}

/// What only a job of a managed queue has.
void add_record(json_object& out, const managed_job& job, json_for reader)
{
    out.number("priority", job.priority)
        .texts("tags", job.tags)
        .number("retries", job.retries)
        .number("retries_left", std::max(job.remaining, 0))
        .texts("depends_on", job.dependencies)
        .texts("dependents", job.dependents)
        .boolean("tracked", job.tracked)
        .text_if_any("spawned_from", job.spawned_from)
        .time("lease_ends_at", job.expires)
        .objects("history", job.history, [&](const auto& each) { return describe(each, reader); });
}

json_object describe(const job_options& options, json_for reader)
{
    json_object out{reader};
    for (const auto& each : shown_options())
        each.describe(out, each.name, options, reader);
    return out;
}

json_object describe(const job_wait& wait, json_for reader)
{
    json_object out{reader};
    const auto* what = wait.what == wait_kind::signal ? "signal"
                       : wait.what == wait_kind::job  ? "job"
                                                      : "name";
    return out.text(what, wait.name.str()).time("until", wait.until);
}

/// What only a job shows that was asked for by its id.
void add_details(json_object& out, const job_info& job, json_for reader)
{
    out.json_or_null("result", job.result ? job.result->text : std::string{});
    if (job.progress) {
        json_object progress{reader};
        progress.number("fraction", job.progress->fraction)
            .text("message", job.progress->message)
            .time("told_at", job.progress->told_at);
        out.object("progress", progress);
    } else {
        out.null("progress");
    }
    if (!job.log.empty())
        out.objects("log", job.log, [&](const job_log_line& line) {
            json_object shown{reader};
            shown.time("at", line.at).text("text", line.text);
            return shown;
        });
    if (job.signals.any())
        add_signals(out, job.signals.received, job.signals.slept, job.signals.ended_jobs);
    if (!job.checkpoint.empty())
        out.json_or_null("checkpoint", job.checkpoint);
    if (!job.steps.empty())
        out.values_by_name("steps", job.steps);
    if (job.signals.sleeps_for)
        out.object("sleeps_for", describe(*job.signals.sleeps_for, reader));
    out.object("options", describe(*job.options, reader));
}

} // namespace

void add_signals(json_object& out, std::string_view received, std::string_view slept,
                 std::string_view ended_jobs)
{
    out.json("signals", received).json("slept", slept).json("ended_jobs", ended_jobs);
}

double in_seconds(std::chrono::milliseconds time)
{
    return std::chrono::duration<double>{time}.count();
}

json_object describe(const job_info& job, json_for reader)
{
    json_object out{reader};
    if (!job.queue.is_managed())
        out.text("key", to_base64url(job.key));
    out.text_if_any("id", job.id)
        .text_if_any("kind", job.kind)
        .text_if_any("queue", queue_of(job))
        .text("state", to_string(job.state));
    add_payload(out, job.data, job.payload);
    out.text_if_any("worker", job.worker)
        .number("attempts", job.attempts)
        .time("queued_at", job.queued_at)
        .time("due_at", job.due_at)
        .time("started_at", job.started_at);
    add_failure(out, job, reader);
    if (job.state == job_state::complete)
        out.time("completed_at", job.ended_at);
    if (job.record)
        add_record(out, *job.record, reader);
    if (job.options)
        add_details(out, job, reader);
    return out;
}

json_object describe(const schedule_info& schedule, json_for reader)
{
    const auto& job = schedule.job;
    json_object out{reader};
    out.text("id", job.jid)
        .text("kind", job.kind)
        .text_if_any("queue", call_managed_queue(job.queue))
        .text("state", to_string(managed_state::recurring));
    add_payload(out, job.data, {});
    out.null("worker").number("attempts", 0).null("queued_at").time("due_at", schedule.next_run);
    out.null("started_at").null("failure");
    managed_job made;
    made.priority = job.priority;
    made.tags = job.tags;
    made.retries = made.remaining = job.retries;
    add_record(out, made, reader);
    out.number("interval_seconds", std::chrono::duration<double>{job.interval}.count())
        .number("spawned", job.count)
        .number("backlog", job.backlog);
    return out;
}

} // namespace coworker::detail
