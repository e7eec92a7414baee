// SPDX-License-Identifier: MIT
#pragma once

#include "inspect/list_jobs.hpp"

/// As list_jobs.hpp says, but of all partitions of a list queue, one after the other. The cursors of a queue that is
/// divided begin with the place of the part.
namespace coworker::detail {

asio::awaitable<job_page> show_divided_jobs(shared_inspection self, std::string queue, job_state state,
                                            std::string cursor, std::size_t count);
asio::awaitable<result<job_info>> find_list_job(shared_inspection self, std::string queue, std::string id);
asio::awaitable<job_page> find_divided_jobs(shared_inspection self, std::string queue, job_filter which,
                                            std::string cursor, std::size_t limit);
asio::awaitable<failure_page> count_divided_failures(shared_inspection self, std::string queue,
                                                     std::string cursor, std::size_t limit);
asio::awaitable<bulk_result> act_on_divided_jobs(shared_inspection self, job_action action, std::string queue,
                                                 job_filter which, std::string cursor, std::size_t limit);

/// A key tells nothing of the partition: each is asked for those that the ones before it did not have.
asio::awaitable<std::vector<action_result>> act_on_divided_keys(shared_inspection self, job_action action,
                                                                std::string queue,
                                                                std::vector<std::string> keys);

} // namespace coworker::detail
