// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"
#include "coworker/inspect/failure_group.hpp"
#include "coworker/inspect/job_filter.hpp"
#include "inspect/inspection.hpp"

/// Jobs of list queues that are not divided, and of partitions.
namespace coworker::detail {

asio::awaitable<job_page> show_list_jobs(shared_inspection self, std::string queue, job_state state,
                                         std::string cursor, std::size_t count);

/// Calls list/search. Throws `errc::invalid_option` for what a list queue does not have.
asio::awaitable<reply> search_list(shared_inspection self, std::string_view action, std::string queue,
                                   job_filter which, std::string cursor, std::size_t limit, std::size_t most);

// One step of list/search each.
asio::awaitable<job_page> find_list_jobs(shared_inspection self, std::string queue, job_filter which,
                                         std::string cursor, std::size_t limit);
asio::awaitable<failure_page> count_list_failures(shared_inspection self, std::string queue,
                                                  std::string cursor, std::size_t limit);
asio::awaitable<bulk_result> act_on_list_jobs(shared_inspection self, job_action action, std::string queue,
                                              job_filter which, std::string cursor, std::size_t limit);

/// Of jobs named by their keys.
asio::awaitable<std::vector<action_result>>
act_on_list_keys(shared_inspection self, job_action action, std::string queue, std::vector<std::string> keys);

} // namespace coworker::detail
