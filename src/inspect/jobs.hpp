// SPDX-License-Identifier: MIT
#pragma once

#include "inspect/divided_lists.hpp"
#include "inspect/managed_jobs.hpp"

/// Jobs of either kind of queue.
namespace coworker::detail {

/// Over all steps; stops when the end has come that was there when it began.
asio::awaitable<std::size_t> act_on_all_jobs(shared_inspection self, job_action action, queue_ref queue,
                                             job_filter which);

asio::awaitable<bulk_result> act_on_some_jobs(shared_inspection self, job_action action, queue_ref queue,
                                              job_filter which, std::string cursor, std::size_t limit);

/// In steps of a thousand jobs, merged.
asio::awaitable<failure_page> show_failures(shared_inspection self, queue_ref queue, std::string cursor,
                                            std::size_t limit);

} // namespace coworker::detail
