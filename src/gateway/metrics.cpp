// SPDX-License-Identifier: MIT
#include "coworker/metrics.hpp"
#include "gateway/api.hpp"
#include "gateway/page.hpp"
#include "json/list_submission.hpp"

#include <boost/asio/error.hpp>

#include <algorithm>
#include <functional>
#include <utility>

/// GET /metrics
namespace coworker::detail {
namespace {

/// More queues of a kind or groups of failures are left out, since each is a handful of time series.
constexpr std::size_t most_measured = 1000;

using queue_list = std::vector<queue_info>;

/// A figure of a queue, and how it is called.
struct figure
{
    std::string_view name;
    std::function<std::uint64_t(const queue_info&)> of;
};

/// Adds figures of each queue to a metric, each under its name.
void add_figures(prometheus_text& out, const queue_list& queues, std::string_view label,
                 std::initializer_list<figure> figures)
{
    for (const auto& queue : queues)
        for (const auto& [name, of] : figures)
            out.add({{"queue", queue.queue.name()}, {label, name}}, static_cast<double>(of(queue)));
}

/// Adds one number of each queue to a metric.
template<class Value>
void add_each(prometheus_text& out, const queue_list& queues, Value value)
{
    for (const auto& queue : queues)
        out.add({{"queue", queue.queue.name()}}, static_cast<double>(value(queue)));
}

double latency_of(const queue_info& queue)
{
    return std::chrono::duration<double>{queue.latency.value_or(std::chrono::microseconds{0})}.count();
}

void write_list_queues(prometheus_text& out, const queue_list& queues)
{
    out.begin("coworker_queue_jobs", "gauge", "Jobs in a queue, by state.");
    add_figures(out, queues, "state",
                {{"waiting", &queue_info::waiting},
                 {"running", &queue_info::running},
                 {"scheduled", &queue_info::scheduled},
                 {"failed", [](const queue_info& queue) { return queue.failed.value_or(0); }},
                 {"broken", &queue_info::broken}});
    out.begin("coworker_queue_overdue_jobs", "gauge",
              "Scheduled jobs that are due and that no worker has fetched; they count as waiting, too.");
    add_each(out, queues, [](const queue_info& queue) { return queue.overdue; });
    out.begin(
        "coworker_workers", "gauge",
        "Workers by the queue they fetch jobs from: coworker's that are connected, and those over HTTP that "
        "were seen within five minutes.");
    add_each(out, queues, [](const queue_info& queue) { return queue.workers.value_or(0); });
    out.begin("coworker_queue_latency_seconds", "gauge",
              "How long the next job could have run already; 0 if no job waits.");
    add_each(out, queues, latency_of);
    out.begin("coworker_queue_paused", "gauge",
              "1 if the queue is paused: coworker's workers fetch no jobs from it.");
    add_each(out, queues, [](const queue_info& queue) { return queue.paused ? 1 : 0; });
    out.begin("coworker_jobs_total", "counter",
              "Jobs that ended, were retried or were recovered, since the queue was made.");
    add_figures(out, queues, "outcome",
                {{"succeeded", [](const queue_info& queue) { return queue.totals.succeeded; }},
                 {"retried", [](const queue_info& queue) { return queue.totals.retried; }},
                 {"failed", [](const queue_info& queue) { return queue.totals.failed; }},
                 {"broken", [](const queue_info& queue) { return queue.totals.broken; }},
                 {"recovered", [](const queue_info& queue) { return queue.totals.lost; }}});
    out.begin("coworker_dropped_jobs_total", "counter",
              "Failed and broken jobs that were dropped, since there were more than the queue keeps.");
    add_figures(out, queues, "state",
                {{"failed", [](const queue_info& queue) { return queue.totals.dropped; }},
                 {"broken", [](const queue_info& queue) { return queue.totals.dropped_broken; }}});
}

void write_managed_queues(prometheus_text& out, const queue_list& queues)
{
    out.begin("coworker_managed_queue_jobs", "gauge", "Jobs in a managed queue, by state.");
    add_figures(out, queues, "state",
                {{"waiting", &queue_info::waiting},
                 {"running", &queue_info::running},
                 {"scheduled", &queue_info::scheduled},
                 {"stalled", &queue_info::stalled},
                 {"depends", &queue_info::depends},
                 {"recurring", &queue_info::recurring}});
    out.begin("coworker_managed_queue_held_back_jobs", "gauge",
              "Waiting jobs that limits, order keys or turns of groups may hold back.");
    add_each(out, queues, [](const queue_info& queue) { return queue.held_back; });
    out.begin("coworker_managed_queue_unhandled_jobs", "gauge",
              "Waiting jobs of kinds that no worker handles.");
    add_each(out, queues, [](const queue_info& queue) { return queue.unhandled; });
    out.begin("coworker_managed_queue_workers", "gauge",
              "Workers by the queue they fetch jobs from: coworker's that are connected, and those over HTTP "
              "that were seen within five minutes.");
    add_each(out, queues, [](const queue_info& queue) { return queue.workers.value_or(0); });
    out.begin("coworker_managed_queue_latency_seconds", "gauge",
              "How long the next job could have run already; 0 if no job waits.");
    add_each(out, queues, latency_of);
    out.begin("coworker_managed_queue_paused", "gauge",
              "1 if the queue is paused: no worker fetches jobs from it.");
    add_each(out, queues, [](const queue_info& queue) { return queue.paused ? 1 : 0; });
    out.begin("coworker_managed_jobs_total", "counter",
              "Jobs that ended, were retried, or whose lease ended (lost_lock). Starts again at 0 at "
              "midnight UTC.");
    add_figures(out, queues, "outcome",
                {{"succeeded", [](const queue_info& queue) { return queue.totals.succeeded; }},
                 {"retried", [](const queue_info& queue) { return queue.totals.retried; }},
                 {"lost_lock", [](const queue_info& queue) { return queue.totals.lost; }},
                 {"failed", [](const queue_info& queue) { return queue.totals.failed; }}});
}

void write_gateway(prometheus_text& out, const gateway_counts& counts)
{
    out.begin("coworker_gateway_answers_total", "counter", "Requests answered, by the answer's status.");
    for (const auto& [status, count] : counts.answers)
        out.add({{"status", std::to_string(status)}}, static_cast<double>(count));
    out.begin("coworker_gateway_connections", "gauge", "Connections that are open.");
    out.add({}, static_cast<double>(counts.connections));
    out.begin("coworker_gateway_connections_total", "counter", "Connections accepted since the start.");
    out.add({}, static_cast<double>(counts.accepted));
    out.begin("coworker_gateway_timeouts_total", "counter",
              "Connections closed because the client was too slow.");
    out.add({}, static_cast<double>(counts.timeouts));
    out.begin("coworker_gateway_evictions_total", "counter",
              "Idle connections closed to let new clients in.");
    out.add({}, static_cast<double>(counts.evicted));
}

} // namespace

/// By name, each once: a part of the list may have a queue again. Those that cannot be counted fully are left out:
/// counters that sink would be taken for a restart.
asio::awaitable<std::vector<queue_info>> api::measured_queues(queue_kind kind, node_set& missing)
{
    std::map<std::string, queue_info> found;
    std::string cursor;
    do {
        queue_page page;
        if (kind == queue_kind::list)
            page = co_await list_queues(std::move(cursor), most_measured);
        else
            page = co_await inspector_.async_queues(kind, std::move(cursor), most_measured, awaited);
        missing.insert(page.missing_nodes.begin(), page.missing_nodes.end());
        for (auto& queue : page.queues)
            if (queue.unreachable != 0 && page.missing_nodes.empty())
                missing.emplace(); // of queues that were asked for by their names
            else if (queue.unreachable == 0 &&
                     is_label_value(queue.queue.name())) // others might get one and the same label
                found.try_emplace(queue.queue.name(), std::move(queue));
        cursor = std::move(page.next);
    } while (!cursor.empty() && found.size() < most_measured);
    queue_list queues;
    for (auto& [name, queue] : found)
        if (queues.size() != most_measured)
            queues.push_back(std::move(queue));
    co_return queues;
}

asio::awaitable<prometheus_text> api::measure_list_queues(node_set& missing)
{
    prometheus_text out;
    const auto queues = co_await measured_queues(queue_kind::list, missing);
    if (!queues.empty())
        write_list_queues(out, queues);
    co_return out;
}

asio::awaitable<prometheus_text> api::measure_managed_queues(node_set& missing)
{
    prometheus_text out;
    const auto queues = co_await measured_queues(queue_kind::managed, missing);
    if (!missing.empty()) // all of them are there
        co_return out;
    if (!queues.empty()) {
        write_managed_queues(out, queues);
        const auto workers = co_await inspector_.async_workers(queue_kind::managed, awaited);
        out.begin("coworker_managed_workers", "gauge",
                  "Workers of managed queues, those of other libraries as well.");
        const auto there = std::ranges::count_if(workers.workers, &worker_info::present);
        out.add({}, static_cast<double>(there));
    }
    const auto failed = co_await inspector_.async_failure_groups({}, most_measured, awaited);
    bool is_begun = false;
    for (const auto& each : failed.groups) {
        if (!is_label_value(each.group))
            continue;
        if (!std::exchange(is_begun, true))
            out.begin("coworker_managed_failed_jobs", "gauge", "Failed jobs of managed queues, by group.");
        out.add({{"group", each.group}}, static_cast<double>(each.count));
    }
    co_return out;
}

asio::awaitable<answer> api::metrics(const routed&)
{
    prometheus_text lists, managed, further;
    node_set missing, missing_to_managed;
    bool is_up = false;
    try {
        lists = co_await measure_list_queues(missing);
        managed = co_await measure_managed_queues(missing_to_managed);
        if (missing_to_managed.empty())
            further = co_await measure_limits_and_schedules();
        missing.merge(missing_to_managed);
        if (missing.size() > 1)
            missing.erase(std::string{}); // one of them, whose name others have told
        is_up = missing.empty();
    } catch (const system_error& error) {
        if (error.code() == asio::error::operation_aborted)
            throw;
    }
    prometheus_text out;
    out.begin("coworker_redis_up", "gauge", "1 if Redis answered what was needed for these metrics.");
    out.add({}, is_up ? 1 : 0);
    out.begin("coworker_redis_missing_nodes", "gauge",
              "Nodes of a Redis Cluster that did not answer; their queues are left out.");
    out.add({}, static_cast<double>(missing.size()));
    prometheus_text gateway;
    write_gateway(gateway, counts_);
    answer result{.body = out.text() + lists.text() + gateway.text() + managed.text() + further.text() +
                          metrics_of_process()};
    result.content_type = "text/plain; version=0.0.4; charset=utf-8";
    co_return result;
}

} // namespace coworker::detail
