#include "http/api.hpp"
#include "http/prometheus.hpp"
#include "list/sizes.hpp"

#include <boost/asio/error.hpp>

#include <algorithm>
#include <set>
#include <utility>

/// GET /metrics
namespace coworker::detail {
namespace {

struct named_sizes
{
    std::string name;
    list_queue_sizes sizes;
};

void write_queues(prometheus_text& out, const std::vector<named_sizes>& queues)
{
    using member = std::pair<const char*, std::uint64_t list_queue_sizes::*>;
    constexpr member states[] = {{"waiting", &list_queue_sizes::waiting},
                                 {"in_progress", &list_queue_sizes::in_progress},
                                 {"scheduled", &list_queue_sizes::scheduled},
                                 {"failed", &list_queue_sizes::failed},
                                 {"broken", &list_queue_sizes::broken}};
    constexpr member outcomes[] = {{"succeeded", &list_queue_sizes::total_succeeded},
                                   {"retried", &list_queue_sizes::total_retried},
                                   {"failed", &list_queue_sizes::total_failed},
                                   {"broken", &list_queue_sizes::total_broken},
                                   {"recovered", &list_queue_sizes::total_recovered}};
    out.begin("coworker_queue_jobs", "gauge", "Jobs in a queue, by state.");
    for (const auto& queue : queues)
        for (const auto& [state, count] : states)
            out.add({{"queue", queue.name}, {"state", state}}, static_cast<double>(queue.sizes.*count));
    out.begin("coworker_queue_overdue_jobs", "gauge",
              "Scheduled jobs that are due and that no worker has fetched; they count as waiting, too.");
    for (const auto& queue : queues)
        out.add({{"queue", queue.name}}, static_cast<double>(queue.sizes.overdue));
    out.begin("coworker_workers", "gauge",
              "coworker's workers that are connected, by the queue they fetch jobs from.");
    for (const auto& queue : queues)
        out.add({{"queue", queue.name}}, static_cast<double>(queue.sizes.workers));
    out.begin("coworker_queue_latency_seconds", "gauge",
              "How long the next job could have run already; 0 if no job waits.");
    for (const auto& queue : queues) {
        const auto age = queue.sizes.oldest_waiting_age.value_or(std::chrono::milliseconds{0});
        out.add({{"queue", queue.name}}, static_cast<double>(age.count()) / 1000);
    }
    out.begin("coworker_queue_paused", "gauge",
              "1 if the queue is paused: coworker's workers fetch no jobs from it.");
    for (const auto& queue : queues)
        out.add({{"queue", queue.name}}, queue.sizes.paused ? 1 : 0);
    out.begin("coworker_jobs_total", "counter",
              "Jobs that ended, were retried or were recovered, since the queue was made.");
    for (const auto& queue : queues)
        for (const auto& [outcome, count] : outcomes)
            out.add({{"queue", queue.name}, {"outcome", outcome}}, static_cast<double>(queue.sizes.*count));
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

asio::awaitable<answer> api::metrics(const routed&)
{
    std::vector<named_sizes> queues;
    bool is_up = true;
    try {
        std::set<std::string> found; // a scan may tell one twice
        name_page page;
        do {
            page = co_await queue_names(page.next, 100);
            found.insert(page.names.begin(), page.names.end());
        } while (page.next != 0 && found.size() < most_measured);
        std::vector<std::string> names(found.begin(), found.end());
        names.resize(std::min(names.size(), most_measured));
        const auto sizes = co_await look_at_sizes(detail::connection_of(redis_), names);
        for (std::size_t i = 0; i != names.size(); ++i)
            queues.push_back({std::move(names[i]), sizes[i]});
    } catch (const system_error& error) {
        if (error.code() == asio::error::operation_aborted)
            throw;
        is_up = false;
        queues.clear();
    }
    prometheus_text managed;
    try {
        if (is_up)
            co_await managed_.write_metrics(managed);
    } catch (const system_error& error) {
        if (error.code() == asio::error::operation_aborted)
            throw;
        is_up = false;
        managed = {};
    }
    prometheus_text out;
    out.begin("coworker_redis_up", "gauge", "1 if Redis answered what was needed for these metrics.");
    out.add({}, is_up ? 1 : 0);
    if (!queues.empty())
        write_queues(out, queues);
    write_gateway(out, counts_);
    answer result{.body = out.text() + managed.text()};
    result.content_type = "text/plain; version=0.0.4; charset=utf-8";
    co_return result;
}

} // namespace coworker::detail
