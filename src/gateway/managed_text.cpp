// SPDX-License-Identifier: MIT
#include "gateway/managed_text.hpp"

#include "text/json_spans.hpp"
#include "text/times.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

std::string describe(const managed_distribution& times)
{
    std::string bins;
    for (std::size_t i = 0; i != times.histogram.size(); ++i) {
        if (times.histogram[i] == 0)
            continue;
        const auto [from, to] = managed_distribution::bounds(i);
        json_object bin;
        bin.number("from", from.count()).number("to", to.count()).number("count", times.histogram[i]);
        bins += bins.empty() ? '[' : ',';
        bins += bin.str();
    }
    json_object out;
    out.number("count", times.count)
        .number("mean_seconds", times.mean.count())
        .number("deviation_seconds", times.deviation.count())
        .json("histogram", bins.empty() ? "[]" : bins + ']');
    return out.str();
}

std::string describe(const managed_failure& failure)
{
    json_object out;
    out.text("group", failure.group)
        .text("message", failure.message)
        .time("when", failure.when)
        .text_if_any("worker", failure.worker);
    return out.str();
}

std::string describe(const std::vector<managed_history_entry>& history)
{
    std::string list;
    for (const auto& entry : history) {
        json_object out;
        out.text("what", entry.what)
            .text("at", format_rfc3339(entry.when, 0)) // qless stores whole seconds
            .text_if_any("queue", entry.queue)
            .text_if_any("worker", entry.worker)
            .text_if_any("group", entry.group)
            .json_or_null("details", entry.details);
        list += list.empty() ? '[' : ',';
        list += out.str();
    }
    return list.empty() ? "[]" : list + ']';
}

/// A job that is complete is in no queue any more: then the last one.
std::string queue_of(const managed_job& job)
{
    if (!job.queue.empty())
        return job.queue;
    const auto last = std::find_if(job.history.rbegin(), job.history.rend(),
                                   [](const auto& entry) { return !entry.queue.empty(); });
    return last == job.history.rend() ? std::string{} : last->queue;
}

/// The job's data; as a text if some client has stored what is not JSON.
void add_data(json_object& out, const std::string& data)
{
    out.json_or_null("data", data);
    if (!is_json(data))
        out.text("data_text", data);
}

} // namespace

double in_seconds(std::chrono::milliseconds time)
{
    return std::chrono::duration<double>{time}.count();
}

json_object describe_use(const limit_use& limit)
{
    json_object out;
    return out.text("name", limit.name()).number("units", limit.units());
}

std::string describe_options(const job_options& options)
{
    json_object out;
    out.objects("limits", options.limits, describe_use)
        .text_if_any("order_key", options.order_key)
        .text_if_any("group", options.group)
        .boolean("held_back", options.held_back)
        .text_if_any("held_by", options.held_by)
        .text_if_any("unique_key", options.unique_key)
        .text_if_any("batch", options.batch)
        .time("expires_at", options.expires_at);
    if (options.on_parent_failure)
        out.text("on_parent_failure", to_string(*options.on_parent_failure));
    if (!options.failed_parents.empty())
        out.texts("failed_parents", options.failed_parents);
    if (options.timeout)
        out.number("timeout", in_seconds(*options.timeout));
    if (options.retention)
        out.number("retention", in_seconds(*options.retention));
    if (options.backoff) {
        json_object backoff;
        backoff.number("initial", in_seconds(options.backoff->initial))
            .number("factor", options.backoff->factor)
            .number("maximum", in_seconds(options.backoff->maximum))
            .number("jitter", options.backoff->jitter);
        out.object("backoff", backoff);
    }
    return out.texts_by_name("metadata", options.metadata).str();
}

std::string describe(const managed_statistics& statistics, std::string_view day)
{
    json_object out;
    out.text("day", day)
        .number("retries", statistics.retries)
        .number("lost_locks", statistics.lost_locks)
        .number("failures", statistics.failures)
        .number("failed", statistics.failed)
        .json("wait", describe(statistics.wait))
        .json("run", describe(statistics.run));
    return out.str();
}

std::string describe(const managed_job& job, std::string_view state, std::optional<timestamp> due)
{
    json_object out;
    out.text("id", job.jid)
        .text("kind", job.kind)
        .text_if_any("queue", queue_of(job))
        .text("state", state)
        .text_if_any("worker", job.worker)
        .number("priority", job.priority)
        .texts("tags", job.tags);
    add_data(out, job.data);
    out.number("retries", job.retries)
        .number("remaining", job.remaining)
        .texts("depends_on", job.dependencies)
        .texts("dependents", job.dependents)
        .boolean("tracked", job.tracked)
        .time("expires_at", job.expires)
        .time("due_at", due)
        .json("failure", job.failure ? describe(*job.failure) : "null")
        .json("history", describe(job.history));
    return out.str();
}

std::string describe(const schedule_info& schedule)
{
    const auto& job = schedule.job;
    json_object out;
    out.text("id", job.jid)
        .text("kind", job.kind)
        .text_if_any("queue", job.queue)
        .text("state", to_string(managed_state::recurring))
        .null("worker")
        .number("priority", job.priority)
        .texts("tags", job.tags);
    add_data(out, job.data);
    out.number("retries", job.retries)
        .number("remaining", job.retries)
        .texts("depends_on", {})
        .texts("dependents", {})
        .boolean("tracked", false)
        .null("expires_at")
        .time("due_at", schedule.next_run)
        .null("failure")
        .json("history", "[]")
        .number("interval_seconds", std::chrono::duration<double>{job.interval}.count())
        .number("spawned", job.count)
        .number("backlog", job.backlog);
    return out.str();
}

} // namespace coworker::detail
