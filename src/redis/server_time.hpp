// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "redis/connection.hpp"

namespace coworker::detail {

/// By the clock of Redis.
asio::awaitable<timestamp> server_time(connection& redis);

} // namespace coworker::detail
