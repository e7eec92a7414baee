// SPDX-License-Identifier: MIT
#include "json/queue_text.hpp"

#include "text/times.hpp"
#include "json/queue_words.hpp"

namespace coworker::detail {
namespace {

/// Per second, as is usual for them.
json_object describe(const jobs_per_minute& rates, json_for reader)
{
    json_object out{reader};
    out.number("succeeded", rates.succeeded / 60)
        .number("retried", rates.retried / 60)
        .number("failed", rates.failed / 60);
    return out;
}

json_object describe(const minute_counts& minute, json_for reader)
{
    json_object out{reader};
    out.text("minute", format_rfc3339(minute.minute, 0))
        .number("succeeded", minute.succeeded)
        .number("retried", minute.retried)
        .number("failed", minute.failed);
    return out;
}

/// What only queues of one kind have.
void add_of_kind(json_object& out, const queue_info& queue)
{
    if (queue.queue.is_managed()) {
        out.number("stalled", queue.stalled)
            .number("depends", queue.depends)
            .number("recurring", queue.recurring)
            .number("held_back", queue.held_back)
            .number("unhandled", queue.unhandled)
            .texts("unhandled_kinds", queue.unhandled_kinds)
            .number("workers", queue.workers.value_or(0));
        return;
    }
    out.number("overdue", queue.overdue).number("broken", queue.broken);
    out.number("workers", queue.workers.value_or(0));
    if (queue.partitions != 0)
        out.number("partitions", queue.partitions);
}

json_object describe(const managed_distribution& times, json_for reader)
{
    std::vector<json_object> bins;
    for (std::size_t i = 0; i != times.histogram.size(); ++i) {
        if (times.histogram[i] == 0)
            continue;
        const auto [from, to] = managed_distribution::bounds(i);
        json_object bin{reader};
        bin.number("from", from.count()).number("to", to.count()).number("count", times.histogram[i]);
        bins.push_back(std::move(bin));
    }
    json_object out{reader};
    out.number("count", times.count)
        .number("mean_seconds", times.mean.count())
        .number("deviation_seconds", times.deviation.count())
        .objects("histogram", bins);
    return out;
}

json_object describe(const worker_load& load, json_for reader)
{
    json_object out{reader};
    out.text("kind", to_string(load.queue.kind()))
        .text_if_any("queue", call_queue(load.queue))
        .number("running", load.running)
        .number("stalled", load.stalled);
    return out;
}

} // namespace

json_object describe(const queue_totals& totals, json_for reader)
{
    json_object out{reader};
    out.number("succeeded", totals.succeeded)
        .number("retried", totals.retried)
        .number("failed", totals.failed)
        .number("broken", totals.broken)
        .number("recovered", totals.lost)
        .number("dropped", totals.dropped)
        .number("dropped_broken", totals.dropped_broken);
    return out;
}

json_object describe(const queue_info& queue, json_for reader)
{
    json_object out{reader};
    out.text("name", call_queue(queue.queue))
        .text("kind", to_string(queue.queue.kind()))
        .boolean("paused", queue.paused)
        .boolean("notices", queue.notices)
        .number("waiting", queue.waiting)
        .number("running", queue.running)
        .number("scheduled", queue.scheduled);
    if (queue.failed || !queue.queue.is_managed())
        out.number("failed", queue.failed.value_or(0));
    else
        out.null("failed");
    add_of_kind(out, queue);
    if (queue.unreachable != 0) // where all is counted, as on one server, it need not be said
        out.number("unreachable", queue.unreachable);
    if (queue.latency)
        out.number("latency_seconds", std::chrono::duration<double>{*queue.latency}.count());
    else
        out.null("latency_seconds");
    if (!queue.queue.is_managed())
        out.object("totals", detail::describe(queue.totals, reader));
    return out.object("rates", describe(queue.rates, reader));
}

json_object describe(const server_info& server, json_for reader)
{
    json_object out{reader};
    out.text_if_any("software", server.software)
        .text_if_any("version", server.version)
        .number("nodes", server.nodes)
        .number("memory_bytes", server.memory);
    if (server.memory_limit != 0)
        out.number("memory_limit_bytes", server.memory_limit);
    else
        out.null("memory_limit_bytes");
    return out.number("clients", server.clients).number("uptime_seconds", server.uptime.count());
}

json_object describe(const queue_history& history, json_for reader)
{
    json_object out{reader};
    out.text("from", format_rfc3339(history.from, 0)).text("until", format_rfc3339(history.until, 0));
    return out.objects("minutes", history.minutes, [&](const auto& each) { return describe(each, reader); });
}

json_object describe(const managed_statistics& statistics, std::string_view day, json_for reader)
{
    json_object out{reader};
    out.text("day", day)
        .number("retries", statistics.retries)
        .number("lost_locks", statistics.lost_locks)
        .number("failures", statistics.failures)
        .number("failed", statistics.failed)
        .object("wait", describe(statistics.wait, reader))
        .object("run", describe(statistics.run, reader));
    return out;
}

json_object describe(const worker_info& worker, json_for reader)
{
    std::uint64_t running = 0, stalled = 0;
    for (const auto& load : worker.loads) {
        running += load.running;
        stalled += load.stalled;
    }
    json_object out{reader};
    out.text("name", worker.name)
        .boolean("connected", worker.connected)
        .text_if_any("address", worker.address)
        .time("connected_since", worker.connected_since)
        .time("seen_at", worker.seen_at)
        .text_if_any("host", worker.host);
    if (worker.process != 0)
        out.number("process", worker.process);
    else
        out.null("process");
    return out.text_if_any("version", worker.version)
        .time("started_at", worker.started)
        .number("running", running)
        .number("stalled", stalled)
        .objects("loads", worker.loads, [&](const auto& each) { return describe(each, reader); });
}

json_object describe(const failure_group& failures, json_for reader)
{
    json_object out{reader};
    out.text_if_any("group", failures.group)
        .text("message", failures.message)
        .number("count", failures.count)
        .time("newest_at", failures.newest_at)
        .text_if_any("newest_id", failures.newest_id);
    return out;
}

} // namespace coworker::detail
