#pragma once

#include "program/command_line.hpp"
#include "program/commands/queue_look.hpp"
#include "program/terminal/json_line.hpp"

#include <chrono>
#include <optional>

namespace coworker::program {

/// Jobs per second in a queue, from two looks at it.
struct queue_rates
{
    double queued = 0, succeeded = 0, failed = 0, retried = 0;
};
queue_rates rates_between(const queue_look& before, const queue_look& now, double seconds);

/// Looks at a queue again and again, and shows how many jobs are where and what has happened since the look before.
///
/// @par Lifetime  The client and the surroundings must outlive it.
class queue_watch
{
public:
    queue_watch(client& redis, surroundings& here, queue_name queue);

    /// Looks and shows a table, in place of what was on the terminal. With --json nothing is shown.
    /// Returns what was seen.
    asio::awaitable<json_line> look();

private:
    asio::awaitable<queue_look> fetch(timestamp now);
    void show(const queue_look& look, const std::optional<queue_rates>& rates, timestamp now);

    client& redis_;
    surroundings& here_;
    queue_name queue_;
    std::optional<queue_look> before_;
    std::chrono::steady_clock::time_point then_{};
};

} // namespace coworker::program
