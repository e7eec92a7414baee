// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_info.hpp"
#include "inspect/inspection.hpp"

namespace coworker::detail {

/// What there is to know of managed queues, in their order, without changing anything.
asio::awaitable<std::vector<queue_info>> count_managed_queues(shared_inspection self,
                                                              std::vector<std::string> names);

} // namespace coworker::detail
