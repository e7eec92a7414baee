// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/list_queue.hpp"
#include "redis/survey.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coworker::detail {

/// What `raw_list_queue::sizes` tells, of many queues, in their order. Asks for the list of connections once.
/// Nothing is told of those whose node is missing.
asio::awaitable<std::vector<std::optional<list_queue_sizes>>> look_at_sizes(survey& nodes,
                                                                            std::vector<std::string> names);

} // namespace coworker::detail
