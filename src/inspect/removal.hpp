// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"
#include "coworker/inspect/job_info.hpp"
#include "coworker/inspect/queue_deletion.hpp"
#include "coworker/inspect/queue_ref.hpp"
#include "inspect/inspection.hpp"

/// Queues that are emptied or removed.
namespace coworker::detail {

/// @throws explained_error  `errc::invalid_option`: jobs in such a state are not purged
void check_purged_state(const queue_ref& queue, job_state state);

asio::awaitable<purge_result> purge_queue(shared_inspection self, queue_ref queue, job_state state);

/// `errc::queue_not_empty`, `errc::queue_in_use`, `errc::queue_not_found`.
asio::awaitable<result<void>> delete_queue(shared_inspection self, queue_ref queue, queue_deletion how);

} // namespace coworker::detail
