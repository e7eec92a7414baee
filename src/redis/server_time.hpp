#pragma once

#include "coworker/job.hpp"
#include "redis/client.hpp"

namespace coworker::detail {

/// By the clock of Redis.
asio::awaitable<timestamp> server_time(client& redis);

} // namespace coworker::detail
