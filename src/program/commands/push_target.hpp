// SPDX-License-Identifier: MIT
#pragma once

#include "program/commands/push_line.hpp"
#include "program/connection.hpp"
#include "program/queue_name.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace coworker::program {

/// How jobs are queued.
struct push_plan
{
    queue_ref queue;
    std::chrono::milliseconds delay{0};
    std::optional<timestamp> at; ///< in place of `delay`

    // Of managed queues only:
    std::string kind; ///< empty: the jobs say it
    std::optional<double> priority;
    std::vector<std::string> tags;
};

/// The queue that jobs are pushed to.
class push_target
{
public:
    virtual ~push_target() = default;

    /// Queues the jobs, in order. If it throws, some of them may be queued.
    virtual asio::awaitable<void> push(std::vector<line_job> jobs) = 0;
};

std::unique_ptr<push_target> make_push_target(client& redis, const server_settings& server, push_plan plan);

} // namespace coworker::program
