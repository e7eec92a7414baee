// SPDX-License-Identifier: MIT
#pragma once

#include "program/command_line.hpp"
#include "program/commands/queue_list.hpp"
#include "program/terminal/json_line.hpp"

#include <chrono>
#include <optional>

namespace coworker::program {

/// Jobs per second in a queue, from two looks at it.
struct queue_rates
{
    double queued = 0, succeeded = 0, failed = 0, retried = 0;
};
queue_rates rates_between(const queue_info& before, const queue_info& now, double seconds);

/// Looks at a queue again and again, and shows how many jobs are where and what has happened since the look before.
///
/// @par Lifetime  The surroundings must outlive it.
class queue_watch
{
public:
    queue_watch(client& redis, surroundings& here, queue_ref queue);

    /// Looks and shows a table, in place of what was on the terminal. With --json nothing is shown.
    /// Returns what was seen.
    asio::awaitable<json_line> look();

private:
    void show(const queue_info& seen, const std::optional<queue_rates>& rates, timestamp now);

    inspector all_;
    surroundings& here_;
    queue_ref queue_;
    std::optional<queue_info> before_;
    std::chrono::steady_clock::time_point then_{};
};

} // namespace coworker::program
