// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "inspect/inspection.hpp"

#include <chrono>
#include <vector>

/// Notices about queues.
namespace coworker::detail {

asio::awaitable<void> set_notices(shared_inspection self, queue_ref queue, bool wanted);
asio::awaitable<std::size_t> watch_notices(shared_inspection self, std::vector<queue_ref> queues,
                                           std::chrono::milliseconds patience);

} // namespace coworker::detail
