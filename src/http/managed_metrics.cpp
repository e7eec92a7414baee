#include "http/managed_api.hpp"
#include "managed/browse.hpp"
#include "text/utf8.hpp"

#include <algorithm>
#include <utility>

/// What GET /metrics tells of managed queues.
namespace coworker::detail {
namespace {

/// A queue, with what is not told together with its sizes.
struct measured_queue
{
    managed_queue_counts counts;
    day_counts day;
    std::chrono::microseconds latency;
};

void write_sizes(prometheus_text& out, const std::vector<measured_queue>& queues)
{
    using member = std::pair<const char*, std::uint64_t managed_queue_counts::*>;
    constexpr member states[] = {
        {"waiting", &managed_queue_counts::waiting},     {"running", &managed_queue_counts::running},
        {"scheduled", &managed_queue_counts::scheduled}, {"stalled", &managed_queue_counts::stalled},
        {"depends", &managed_queue_counts::depends},     {"recurring", &managed_queue_counts::recurring}};
    out.begin("coworker_managed_queue_jobs", "gauge", "Jobs in a managed queue, by state.");
    for (const auto& queue : queues)
        for (const auto& [state, count] : states)
            out.add({{"queue", queue.counts.name}, {"state", state}},
                    static_cast<double>(queue.counts.*count));
    out.begin("coworker_managed_queue_latency_seconds", "gauge",
              "How long the next job could have run already; 0 if no job waits.");
    for (const auto& queue : queues)
        out.add({{"queue", queue.counts.name}}, static_cast<double>(queue.latency.count()) / 1e6);
    out.begin("coworker_managed_queue_paused", "gauge",
              "1 if the queue is paused: no worker fetches jobs from it.");
    for (const auto& queue : queues)
        out.add({{"queue", queue.counts.name}}, queue.counts.paused ? 1 : 0);
}

void write_totals(prometheus_text& out, const std::vector<measured_queue>& queues)
{
    using member = std::pair<const char*, std::uint64_t day_counts::*>;
    constexpr member outcomes[] = {{"succeeded", &day_counts::completed},
                                   {"retried", &day_counts::retries},
                                   {"lost_lock", &day_counts::lost_locks},
                                   {"failed", &day_counts::failures}};
    out.begin("coworker_managed_jobs_total", "counter",
              "Jobs that ended, were retried, or whose lease ended (lost_lock). Starts again at 0 at "
              "midnight UTC.");
    for (const auto& queue : queues)
        for (const auto& [outcome, count] : outcomes)
            out.add({{"queue", queue.counts.name}, {"outcome", outcome}},
                    static_cast<double>(queue.day.*count));
}

} // namespace

asio::awaitable<void> managed_api::write_metrics(prometheus_text& out)
{
    auto counts = co_await client_.async_queues();
    counts.resize(std::min(counts.size(), most_measured));
    std::vector<std::string> names;
    for (const auto& queue : counts)
        names.push_back(queue.name);
    const auto now = co_await inspector_.async_server_time();
    const auto days = co_await count_day(redis(), prefix(), names, now);
    const auto latencies = co_await waiting_times(redis(), prefix(), names, now);
    const auto groups = co_await client_.async_failed_groups();
    const auto workers = co_await present_workers(redis(), prefix());
    std::vector<measured_queue> queues;
    for (std::size_t i = 0; i != counts.size(); ++i)
        if (is_utf8(names[i])) // others might get one and the same label
            queues.push_back({std::move(counts[i]), days[i], latencies[i]});
    if (!queues.empty()) {
        write_sizes(out, queues);
        write_totals(out, queues);
        out.begin("coworker_managed_workers", "gauge",
                  "Workers of managed queues; which queues they work on is not known.");
        out.add({}, static_cast<double>(workers.size()));
    }
    std::size_t written = 0;
    for (const auto& [group, count] : groups) {
        if (!is_utf8(group) || written == most_measured)
            continue;
        if (written++ == 0)
            out.begin("coworker_managed_failed_jobs", "gauge", "Failed jobs of managed queues, by group.");
        out.add({{"group", group}}, static_cast<double>(count));
    }
}

} // namespace coworker::detail
