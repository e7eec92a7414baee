#pragma once

#include "coworker/managed_client.hpp"
#include "http/rates.hpp"

#include <string>

/// What is said of managed queues and their jobs, as JSON.
namespace coworker::detail {

/// @param latency  as `waiting_times` tells it
std::string describe(const managed_queue_counts& queue, const std::optional<job_rates>& rates,
                     std::chrono::microseconds latency);
std::string describe(const managed_worker_counts& worker);

/// @param day  "2026-11-21"
std::string describe(const managed_statistics& statistics, std::string_view day);

/// @param state  what to say instead of what the record says: that of a job whose lock has run out says running
std::string describe(const managed_job& job, std::optional<managed_state> state = std::nullopt);
std::string describe(const recurring_job& job);

} // namespace coworker::detail
