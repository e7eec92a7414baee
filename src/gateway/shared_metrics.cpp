// SPDX-License-Identifier: MIT
#include "coworker/batches.hpp"
#include "coworker/managed_client.hpp"
#include "coworker/schedules.hpp"
#include "gateway/api.hpp"
#include "gateway/page.hpp"

#include <algorithm>
#include <utility>

/// GET /metrics: limits, schedules and batches, which belong to all managed queues.
namespace coworker::detail {
namespace {

/// More limits or schedules are left out, since each is a handful of time series.
constexpr std::size_t most_named = 1000;

void write_limits(prometheus_text& out, const std::vector<limit_state>& limits)
{
    out.begin("coworker_limit_used", "gauge", "Units of a limit that running jobs hold.");
    for (const auto& limit : limits)
        out.add({{"limit", limit.name}}, static_cast<double>(limit.used));
    out.begin("coworker_limit_waiting_jobs", "gauge", "Jobs that a limit holds back, of all queues.");
    for (const auto& limit : limits)
        out.add({{"limit", limit.name}}, static_cast<double>(limit.waiting));
    out.begin("coworker_limit_max_running", "gauge",
              "How many units running jobs may hold together, for limits that say so.");
    for (const auto& limit : limits)
        if (limit.settings.max_running)
            out.add({{"limit", limit.name}}, static_cast<double>(*limit.settings.max_running));
}

/// Since when the next run is due that has not taken place, in seconds.
double lateness(const schedule_status& schedule, timestamp now)
{
    if (schedule.next.empty())
        return 0;
    return std::max(0.0, std::chrono::duration<double>{now - schedule.next.front()}.count());
}

void write_schedules(prometheus_text& out, const std::vector<schedule_status>& all, timestamp now)
{
    out.begin("coworker_schedule_late_seconds", "gauge",
              "For how long the next run of a schedule has been due; 0 if it is on time or paused.");
    for (const auto& schedule : all)
        out.add({{"schedule", schedule.name}}, lateness(schedule, now));
    out.begin("coworker_schedule_paused", "gauge", "1 if the schedule is paused.");
    for (const auto& schedule : all)
        out.add({{"schedule", schedule.name}}, schedule.paused ? 1 : 0);
    out.begin("coworker_schedule_problem", "gauge",
              "1 if the last run of the schedule pushed no job, or its next one cannot be told.");
    for (const auto& schedule : all)
        out.add({{"schedule", schedule.name}}, schedule.problem.empty() ? 0 : 1);
    out.begin("coworker_schedule_runs_total", "counter", "How many jobs a schedule has pushed.");
    for (const auto& schedule : all)
        out.add({{"schedule", schedule.name}}, static_cast<double>(schedule.runs));
}

void write_batches(prometheus_text& out, const batch_counts& batches, timestamp now)
{
    out.begin("coworker_batches", "gauge", "Batches of jobs that are kept, by what they are at.");
    for (const auto& [state, count] : {std::pair{batch_state::open, batches.open},
                                       {batch_state::running, batches.running},
                                       {batch_state::stopping, batches.stopping},
                                       {batch_state::succeeded, batches.succeeded},
                                       {batch_state::failed, batches.failed},
                                       {batch_state::cancelled, batches.cancelled}})
        out.add({{"state", to_string(state)}}, static_cast<double>(count));
    out.begin("coworker_batches_failing", "gauge",
              "Batches that have not ended although a job of them has failed.");
    out.add({}, static_cast<double>(batches.failing));
    out.begin("coworker_batches_problem", "gauge", "Batches with a callback that could not be pushed.");
    out.add({}, static_cast<double>(batches.problems));
    out.begin("coworker_batch_oldest_seconds", "gauge",
              "For how long the oldest batch has been open that has not ended; 0 if all have.");
    const std::chrono::duration<double> age = batches.oldest ? now - *batches.oldest : timestamp::duration{0};
    out.add({}, std::max(0.0, age.count()));
}

bool is_any(const batch_counts& batches)
{
    return batches.open + batches.running + batches.stopping + batches.succeeded + batches.failed +
               batches.cancelled >
           0;
}

} // namespace

asio::awaitable<prometheus_text> api::measure_limits_and_schedules()
{
    prometheus_text out;
    const managed_options how{.prefix = options_.managed_prefix};
    const managed_client jobs{redis_, how};
    auto limits = co_await jobs.async_limits(awaited);
    limits.resize(std::min(limits.size(), most_named));
    if (!limits.empty())
        write_limits(out, limits);
    const schedules kept{redis_, how};
    auto all = co_await kept.async_list(awaited);
    all.resize(std::min(all.size(), most_named));
    const auto now = co_await inspector_.async_server_time(awaited);
    if (!all.empty())
        write_schedules(out, all, now);
    const batches known{redis_, how};
    const auto counts = co_await known.async_count(awaited);
    if (is_any(counts))
        write_batches(out, counts, now);
    co_return out;
}

} // namespace coworker::detail
