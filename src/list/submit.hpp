#pragma once

#include "redis/connection.hpp"

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coworker::detail {

/// A job that a client may send twice, because it does not know whether the first time was enough.
struct submitted_job
{
    enum class start
    {
        now,
        in, ///< `milliseconds` from now, by the server's clock
        at, ///< `milliseconds` since the epoch
    };

    std::string id;
    std::string payload; ///< as `make_payload` makes it
    bool once = false;   ///< do nothing if the id has been queued this way before
    start when = start::now;
    std::int64_t milliseconds = 0;
};

/// Queues jobs in a list queue, in order. Returns for each whether it was queued now; false: its id was known.
///
/// @param remember  how long the ids of jobs that are queued once are remembered
/// @par Errors  Throws `system_error`. Many jobs go in parts, and earlier parts stay queued.
asio::awaitable<std::vector<bool>> submit(connection& redis, const std::string& queue,
                                          std::span<const submitted_job> jobs,
                                          std::chrono::milliseconds remember);

} // namespace coworker::detail
