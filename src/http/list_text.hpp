#pragma once

#include "coworker/list_queue.hpp"

#include "http/rates.hpp"

#include <string>

/// What is said of list queues and their jobs, as JSON.
namespace coworker::detail {

std::string describe(const std::string& name, const list_queue_sizes& sizes,
                     const std::optional<job_rates>& rates);

/// Each has a key, to name it by in other requests.
std::string describe(const list_job& job);
std::string describe(const list_job_in_progress& job);
std::string describe(const list_job_scheduled& job);
std::string describe(const list_job_failed& job);
std::string describe(const list_job_broken& job);

} // namespace coworker::detail
