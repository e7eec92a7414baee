// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/list_queue.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace coworker::detail {

/// List queues by name, for those who learn the name with each job.
class known_list_queues
{
public:
    /// Takes the client as it is: whoever has it closes it.
    /// @param max_waiting  as `list_queue_options` has it
    explicit known_list_queues(const client& redis, std::uint64_t max_waiting = 0)
        : redis_{share(redis)}, max_waiting_{max_waiting}
    {}

    /// The queue, for jobs of any size. Made anew every minute: a new one tells Redis its name, and Redis may have been
    /// emptied meanwhile.
    raw_list_queue get(const std::string& name);

private:
    struct known_queue
    {
        raw_list_queue queue;
        std::chrono::steady_clock::time_point since;
    };

    client redis_;
    std::uint64_t max_waiting_;
    std::map<std::string, known_queue> known_;
};

} // namespace coworker::detail
