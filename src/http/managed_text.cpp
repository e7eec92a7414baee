#include "http/managed_text.hpp"

#include "http/object_writer.hpp"

namespace coworker::detail {
namespace {

std::string describe(const managed_distribution& times)
{
    std::string bins;
    for (std::size_t i = 0; i != times.histogram.size(); ++i) {
        if (times.histogram[i] == 0)
            continue;
        const auto [from, to] = managed_distribution::bounds(i);
        object_writer bin;
        bin.number("from", from.count()).number("to", to.count()).number("count", times.histogram[i]);
        bins += bins.empty() ? '[' : ',';
        bins += std::move(bin).finish();
    }
    object_writer out;
    out.number("count", times.count)
        .number("mean_seconds", times.mean.count())
        .number("deviation_seconds", times.deviation.count())
        .json("histogram", bins.empty() ? "[]" : bins + ']');
    return std::move(out).finish();
}

std::string describe(const managed_failure& failure)
{
    object_writer out;
    out.text("group", failure.group)
        .text("message", failure.message)
        .time("when", failure.when)
        .text_if_any("worker", failure.worker);
    return std::move(out).finish();
}

std::string describe(const std::vector<managed_history_entry>& history)
{
    std::string list;
    for (const auto& entry : history) {
        object_writer out;
        out.text("what", entry.what)
            .time("at", entry.when)
            .text_if_any("queue", entry.queue)
            .text_if_any("worker", entry.worker)
            .text_if_any("group", entry.group)
            .json_if_valid("details", entry.details);
        list += list.empty() ? '[' : ',';
        list += std::move(out).finish();
    }
    return list.empty() ? "[]" : list + ']';
}

/// The job's data; as a text if some client has stored what is not JSON.
void add_data(object_writer& out, const std::string& data)
{
    const bool is_json = is_json_text(data);
    out.json("data", is_json ? data : "null");
    if (!is_json)
        out.text("data_text", data);
}

} // namespace

std::string describe(const managed_queue_counts& queue, const std::optional<job_rates>& rates,
                     std::chrono::microseconds latency)
{
    object_writer out;
    out.text("name", queue.name)
        .flag("paused", queue.paused)
        .number("waiting", queue.waiting)
        .number("running", queue.running)
        .number("scheduled", queue.scheduled)
        .number("stalled", queue.stalled)
        .number("depends", queue.depends)
        .number("recurring", queue.recurring);
    if (queue.waiting != 0)
        out.number("latency_seconds", static_cast<double>(latency.count()) / 1e6);
    else
        out.json("latency_seconds", "null");
    out.rates("rates", rates);
    return std::move(out).finish();
}

std::string describe(const managed_worker_counts& worker)
{
    object_writer out;
    out.text("name", worker.name).number("running", worker.running).number("stalled", worker.stalled);
    return std::move(out).finish();
}

std::string describe(const managed_statistics& statistics, std::string_view day)
{
    object_writer out;
    out.text("day", day)
        .number("retries", statistics.retries)
        .number("lost_locks", statistics.lost_locks)
        .number("failures", statistics.failures)
        .number("failed", statistics.failed)
        .json("wait", describe(statistics.wait))
        .json("run", describe(statistics.run));
    return std::move(out).finish();
}

std::string describe(const managed_job& job, std::optional<managed_state> state)
{
    object_writer out;
    out.text("id", job.jid)
        .text("klass", job.klass)
        .text_if_any("queue", job.queue)
        .text("state", to_string(state.value_or(job.state)))
        .text_if_any("worker", job.worker)
        .number("priority", job.priority)
        .texts("tags", job.tags);
    add_data(out, job.data);
    out.number("retries", job.retries)
        .number("remaining", job.remaining)
        .texts("depends_on", job.dependencies)
        .texts("dependents", job.dependents)
        .flag("tracked", job.tracked)
        .time("expires_at", job.expires)
        .json("failure", job.failure ? describe(*job.failure) : "null")
        .json("history", describe(job.history));
    return std::move(out).finish();
}

std::string describe(const recurring_job& job)
{
    object_writer out;
    out.text("id", job.jid)
        .text("klass", job.klass)
        .text_if_any("queue", job.queue)
        .text("state", to_string(managed_state::recurring))
        .json("worker", "null")
        .number("priority", job.priority)
        .texts("tags", job.tags);
    add_data(out, job.data);
    out.number("retries", job.retries)
        .number("remaining", job.retries)
        .texts("depends_on", {})
        .texts("dependents", {})
        .flag("tracked", false)
        .json("expires_at", "null")
        .json("failure", "null")
        .json("history", "[]")
        .number("interval_seconds", std::chrono::duration<double>{job.interval}.count())
        .number("spawned", job.count)
        .number("backlog", job.backlog);
    return std::move(out).finish();
}

} // namespace coworker::detail
