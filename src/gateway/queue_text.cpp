// SPDX-License-Identifier: MIT
#include "gateway/queue_text.hpp"

#include "text/json_object.hpp"
#include "text/times.hpp"

namespace coworker::detail {
namespace {

/// Per second, as is usual for them.
json_object describe(const jobs_per_minute& rates)
{
    json_object out;
    out.number("succeeded", rates.succeeded / 60)
        .number("retried", rates.retried / 60)
        .number("failed", rates.failed / 60);
    return out;
}

void add_latency(json_object& out, const queue_info& queue)
{
    if (queue.latency)
        out.number("latency_seconds", std::chrono::duration<double>{*queue.latency}.count());
    else
        out.null("latency_seconds");
}

/// Where all is counted, as on one server, it need not be said.
void add_unreachable(json_object& out, const queue_info& queue)
{
    if (queue.unreachable != 0)
        out.number("unreachable", queue.unreachable);
}

json_object describe(const minute_counts& minute)
{
    json_object out;
    out.text("minute", format_rfc3339(minute.minute, 0))
        .number("succeeded", minute.succeeded)
        .number("retried", minute.retried)
        .number("failed", minute.failed);
    return out;
}

} // namespace

std::string describe_list_queue(const queue_info& queue)
{
    json_object totals;
    totals.number("succeeded", queue.totals.succeeded)
        .number("retried", queue.totals.retried)
        .number("failed", queue.totals.failed)
        .number("broken", queue.totals.broken)
        .number("recovered", queue.totals.lost)
        .number("dropped", queue.totals.dropped)
        .number("dropped_broken", queue.totals.dropped_broken);
    json_object out;
    out.text("name", queue.queue.name())
        .boolean("paused", queue.paused)
        .number("waiting", queue.waiting)
        .number("in_progress", queue.running)
        .number("scheduled", queue.scheduled)
        .number("overdue", queue.overdue)
        .number("failed", queue.failed.value_or(0))
        .number("broken", queue.broken)
        .number("workers", queue.workers.value_or(0));
    if (queue.partitions != 0)
        out.number("partitions", queue.partitions);
    add_unreachable(out, queue);
    add_latency(out, queue);
    out.object("totals", totals).object("rates", describe(queue.rates));
    return out.str();
}

std::string describe_managed_queue(const queue_info& queue)
{
    json_object out;
    out.text("name", queue.queue.name())
        .boolean("paused", queue.paused)
        .number("waiting", queue.waiting)
        .number("running", queue.running)
        .number("scheduled", queue.scheduled)
        .number("stalled", queue.stalled)
        .number("depends", queue.depends)
        .number("recurring", queue.recurring)
        .number("held_back", queue.held_back);
    add_unreachable(out, queue);
    if (queue.failed)
        out.number("failed", *queue.failed);
    else
        out.null("failed");
    add_latency(out, queue);
    out.object("rates", describe(queue.rates));
    return out.str();
}

std::string describe(const queue_history& history)
{
    json_object out;
    out.text("from", format_rfc3339(history.from, 0)).text("until", format_rfc3339(history.until, 0));
    out.objects("minutes", history.minutes, [](const auto& minute) { return describe(minute); });
    return out.str();
}

std::string describe(const worker_info& worker)
{
    std::uint64_t running = 0, stalled = 0;
    std::vector<json_object> loads;
    for (const auto& load : worker.loads) {
        running += load.running;
        stalled += load.stalled;
        json_object out;
        out.text("kind", to_string(load.queue.kind()))
            .text_if_any("queue", load.queue.name())
            .number("running", load.running)
            .number("stalled", load.stalled);
        loads.push_back(std::move(out));
    }
    json_object out;
    out.text("name", worker.name)
        .boolean("connected", worker.connected)
        .text_if_any("address", worker.address)
        .time("connected_since", worker.connected_since)
        .text_if_any("host", worker.host);
    if (worker.process != 0)
        out.number("process", worker.process);
    else
        out.null("process");
    out.text_if_any("version", worker.version)
        .time("started_at", worker.started)
        .number("running", running)
        .number("stalled", stalled)
        .objects("loads", loads);
    return out.str();
}

std::string describe(const failure_group& failures)
{
    json_object out;
    out.text_if_any("group", failures.group)
        .text("message", failures.message)
        .number("count", failures.count)
        .time("newest_at", failures.newest_at)
        .text_if_any("newest_id", failures.newest_id);
    return out.str();
}

} // namespace coworker::detail
