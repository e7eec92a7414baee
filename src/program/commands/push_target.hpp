// SPDX-License-Identifier: MIT
#pragma once

#include "program/commands/push_line.hpp"
#include "program/queue_name.hpp"
#include "program/redis_access.hpp"

#include <coworker/durability.hpp>
#include <coworker/managed_options.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coworker::program {

/// How jobs are queued.
struct push_plan
{
    queue_ref queue;
    std::chrono::milliseconds delay{0};
    std::optional<timestamp> at; ///< in place of `delay`
    coworker::durability durability = coworker::durability::memory();

    bool waits_for_room = false;

    std::uint64_t max_waiting = 0; ///< of list queues only; zero: any number

    // Of managed queues only:
    std::string kind; ///< empty: the jobs say it
    managed_push_options options;
};

/// What became of some jobs.
struct push_counts
{
    std::vector<std::string> ids{}; ///< of the jobs that are queued now, in order
    std::uint64_t queued = 0;
    std::uint64_t kept = 0,
                  replaced = 0; ///< not queued: other jobs had their unique keys, and stayed or were changed
    std::vector<std::pair<std::uint64_t, std::string>> refused{}; ///< lines, and why nothing became of them
    std::uint64_t unconfirmed = 0; ///< queued, kept or replaced, but not confirmed; counted nowhere else
    std::string why_unconfirmed{};
};

/// The queue that jobs are pushed to.
class push_target
{
public:
    virtual ~push_target() = default;

    /// Queues the jobs, in order. If it throws a `system_error`, some of them may be queued.
    virtual asio::awaitable<push_counts> push(std::vector<line_job> jobs) = 0;
};

std::unique_ptr<push_target> make_push_target(client& redis, const server_settings& server, push_plan plan);

} // namespace coworker::program
