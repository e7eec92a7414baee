// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "redis/connection/connection.hpp"

namespace coworker::detail {

/// By the clock of Redis; in a cluster by that of the connection's slot, or of any node.
asio::awaitable<timestamp> server_time(connection& redis);

/// Reads the answer to TIME, or what begins with the same two numbers.
timestamp read_time(const reply::answer& answer);

} // namespace coworker::detail
