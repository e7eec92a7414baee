// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/list_queue.hpp"
#include "redis/connection.hpp"

#include <string>
#include <vector>

namespace coworker::detail {

/// What `raw_list_queue::sizes` tells, of many queues, in their order. Asks for the list of connections once.
asio::awaitable<std::vector<list_queue_sizes>> look_at_sizes(connection& redis,
                                                             std::vector<std::string> names);

} // namespace coworker::detail
