// SPDX-License-Identifier: MIT
#pragma once

#include "worker/late_calls.hpp"
#include "worker/queue_runner.hpp"

#include <memory>
#include <vector>

namespace coworker::detail {

/// Asks the dispatcher what to do next and has the queue do it, until this is cancelled. Two for each queue of a worker, as
/// of each queue two calls may be under way; any pump works for any queue.
asio::awaitable<void> pump(worker_life& life, dispatcher& dispatch, late_calls& late, running_jobs& jobs,
                           const std::vector<std::unique_ptr<queue_runner>>& queues);

} // namespace coworker::detail
