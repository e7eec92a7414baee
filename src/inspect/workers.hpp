// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/worker_info.hpp"
#include "inspect/inspection.hpp"

#include <optional>

namespace coworker::detail {

/// @param kind  only those of queues of this kind
asio::awaitable<worker_list> show_workers(shared_inspection self, std::optional<queue_kind> kind);

} // namespace coworker::detail
