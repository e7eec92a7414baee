// SPDX-License-Identifier: MIT
#include "coworker/job.hpp"
#include "coworker/metrics.hpp"
#include "text/prometheus.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace coworker {

namespace {

using detail::prometheus_text;

double seconds_of(std::chrono::nanoseconds time) noexcept
{
    return std::chrono::duration<double>{time}.count();
}

/// The kinds of event that are problems of the process, whatever the queue.
constexpr std::array problems = {event_kind::disconnected, event_kind::warning, event_kind::ack_failed,
                                 event_kind::fetch_failed, event_kind::fallback_poll_found_work};

/// What may become of a run.
constexpr std::array outcomes = {event_kind::succeeded,  event_kind::forwarded, event_kind::retried,
                                 event_kind::failed,     event_kind::broken,    event_kind::released,
                                 event_kind::lease_lost, event_kind::in_doubt};

template<std::size_t Size>
std::size_t place_of(const std::array<event_kind, Size>& list, event_kind kind) noexcept
{
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), kind) - list.begin());
}

struct queue_numbers
{
    std::array<std::uint64_t, outcomes.size()> ends{};
    std::uint64_t fetched = 0, started = 0, stopped = 0, recovered = 0;
    duration_histogram run, wait;
};

using queue_map = std::map<std::string, queue_numbers, std::less<>>;

/// Only the first run: later ones waited for their retry, and nothing tells since when.
void note_wait(queue_numbers& queue, const event& what)
{
    if (what.attempt > 1)
        return;
    if (const auto queued = queued_at(what.job_id))
        queue.wait.add(std::chrono::system_clock::now() - *queued);
}

void note(queue_numbers& queue, const event& what)
{
    if (what.kind == event_kind::fetched)
        queue.fetched += what.count;
    if (what.kind == event_kind::recovered)
        queue.recovered += what.count;
    if (what.kind == event_kind::started) {
        ++queue.started;
        note_wait(queue, what);
    }
    if (const auto place = place_of(outcomes, what.kind); place != outcomes.size())
        ++queue.ends[place];
    if (what.duration.count() != 0) {
        ++queue.stopped;
        queue.run.add(what.duration);
    }
}

/// "0.005"
std::string shown(double bound)
{
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, bound).ptr};
}

void write(prometheus_text& out, const std::string& queue, const duration_histogram& times)
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i != times.counts.size(); ++i) {
        sum += times.counts[i];
        const auto bound = i == times.bounds.size() ? "+Inf" : shown(times.bounds[i]);
        out.add({{"queue", queue}, {"le", bound}}, static_cast<double>(sum), "_bucket");
    }
    out.add({{"queue", queue}}, seconds_of(times.sum), "_sum");
    out.add({{"queue", queue}}, static_cast<double>(sum), "_count");
}

void write_histograms(prometheus_text& out, const queue_map& queues)
{
    out.begin("coworker_worker_run_seconds", "histogram", "How long handlers ran, whatever their outcome.");
    for (const auto& [name, queue] : queues)
        write(out, name, queue.run);
    out.begin("coworker_worker_wait_seconds", "histogram",
              "How long jobs had waited when their first run began, delays included.");
    for (const auto& [name, queue] : queues)
        write(out, name, queue.wait);
}

void write_jobs(prometheus_text& out, const queue_map& queues)
{
    out.begin("coworker_worker_jobs_total", "counter", "Jobs that this process was done with, by outcome.");
    for (const auto& [name, queue] : queues)
        for (std::size_t i = 0; i != outcomes.size(); ++i)
            out.add({{"queue", name}, {"outcome", to_string(outcomes[i])}},
                    static_cast<double>(queue.ends[i]));
    out.begin("coworker_worker_fetched_jobs_total", "counter", "Jobs that this process has fetched.");
    for (const auto& [name, queue] : queues)
        out.add({{"queue", name}}, static_cast<double>(queue.fetched));
    out.begin("coworker_worker_recovered_jobs_total", "counter",
              "Jobs that this process has returned to their queue, because their worker was gone.");
    for (const auto& [name, queue] : queues)
        out.add({{"queue", name}}, static_cast<double>(queue.recovered));
    out.begin("coworker_worker_running_jobs", "gauge", "Handlers that run now.");
    for (const auto& [name, queue] : queues)
        out.add({{"queue", name}}, static_cast<double>(queue.started - queue.stopped));
}

} // namespace

void duration_histogram::add(std::chrono::nanoseconds duration) noexcept
{
    const auto counted = std::max(duration, std::chrono::nanoseconds{0});
    const auto bucket = std::lower_bound(bounds.begin(), bounds.end(), seconds_of(counted));
    ++counts[static_cast<std::size_t>(bucket - bounds.begin())];
    sum += counted;
}

std::uint64_t duration_histogram::count() const noexcept
{
    std::uint64_t all = 0;
    for (const auto each : counts)
        all += each;
    return all;
}

struct worker_metrics::numbers
{
    queue_map queues;
    std::array<std::uint64_t, problems.size()> problem_counts{};
    bool is_connected = true; // until the contrary is told

    void count(const event& what)
    {
        if (what.kind == event_kind::connected || what.kind == event_kind::reconnected)
            is_connected = true;
        if (what.kind == event_kind::disconnected)
            is_connected = false;
        if (const auto place = place_of(problems, what.kind); place != problems.size())
            ++problem_counts[place];
        if (what.queue.empty())
            return;
        auto found = queues.find(what.queue);
        if (found == queues.end())
            found = queues.try_emplace(std::string{what.queue}).first;
        note(found->second, what);
    }

    duration_histogram times(std::string_view queue, duration_histogram queue_numbers::*which) const
    {
        const auto found = queues.find(queue);
        return found == queues.end() ? duration_histogram{} : found->second.*which;
    }
};

worker_metrics::worker_metrics() : numbers_{std::make_shared<numbers>()} {}

observer worker_metrics::observe() const
{
    return [numbers = numbers_](const event& what) { numbers->count(what); };
}

duration_histogram worker_metrics::run_times(std::string_view queue) const
{
    return numbers_->times(queue, &queue_numbers::run);
}

duration_histogram worker_metrics::wait_times(std::string_view queue) const
{
    return numbers_->times(queue, &queue_numbers::wait);
}

std::string worker_metrics::prometheus() const
{
    detail::prometheus_text out;
    out.begin("coworker_worker_connected", "gauge", "0 if the connection of this process to Redis is lost.");
    out.add({}, numbers_->is_connected ? 1 : 0);
    out.begin(
        "coworker_worker_problems_total", "counter",
        "Events that need attention: lost connections, refused requests, missed notifications, warnings.");
    for (std::size_t i = 0; i != problems.size(); ++i)
        out.add({{"problem", to_string(problems[i])}}, static_cast<double>(numbers_->problem_counts[i]));
    write_jobs(out, numbers_->queues);
    write_histograms(out, numbers_->queues);
    return out.text();
}

} // namespace coworker
