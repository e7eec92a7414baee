// SPDX-License-Identifier: MIT
#include "coworker/managed_client.hpp"
#include "coworker/managed_events.hpp"
#include "operation.hpp"

/// What the operations of managed queues yield.
namespace coworker::detail {

template struct operation<std::optional<std::string>>;
template struct operation<std::chrono::milliseconds>;
template struct operation<std::map<std::string, std::string>>;
template struct operation<std::map<std::string, std::uint64_t>>;
template struct operation<std::vector<managed_job>>;
template struct operation<result<managed_job>>;
template struct operation<result<job_status>>;
template struct operation<result<recurring_job>>;
template struct operation<result<bool>>;
template struct operation<result<std::vector<std::string>>>;
template struct operation<job_signals>;
template struct operation<managed_page>;
template struct operation<tracked_jobs>;
template struct operation<managed_queue_counts>;
template struct operation<managed_statistics>;
template struct operation<managed_queue_settings>;
template struct operation<std::vector<managed_queue_counts>>;
template struct operation<std::vector<managed_worker_counts>>;
template struct operation<managed_worker_jobs>;
template struct operation<managed_event>;
template struct operation<qless_reply>;
template struct operation<limit_state>;
template struct operation<std::vector<limit_state>>;
template struct operation<std::vector<group_weight>>;
template struct operation<std::vector<limit_use>>;

} // namespace coworker::detail
