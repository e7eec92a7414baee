#pragma once

#include "program/connection.hpp"
#include "program/queue_name.hpp"

#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coworker::program {

/// A queue as it is shown: sizes only, whatever is in it. What its kind does not have is empty.
struct queue_look
{
    queue_name queue;
    bool paused = false;
    std::uint64_t waiting = 0, scheduled = 0, running = 0;
    std::optional<std::uint64_t> overdue, stalled, depends, recurring, failed, broken, workers;
    std::optional<std::chrono::milliseconds> oldest_waiting;

    /// What has been counted: of a list queue since it was made, of a managed one today, if `add_totals` was
    /// called.
    std::uint64_t total_succeeded = 0, total_failed = 0, total_retried = 0, total_broken = 0;
};

asio::awaitable<queue_look> look_at_list_queue(client& redis, std::string name);
asio::awaitable<std::vector<queue_look>> look_at_list_queues(client& redis, std::vector<std::string> names);
asio::awaitable<queue_look> look_at_managed_queue(client& redis, managed_options options,
                                                  managed_queue_counts counts);

/// How many failed jobs each managed queue has. Looks at all of them, some hundred at a time: they are filed by groups,
/// and nothing counts them by queues.
asio::awaitable<std::map<std::string, std::uint64_t>> count_failed_by_queue(client& redis,
                                                                            managed_options options);

/// Adds what a managed queue has counted on the day of `now`.
asio::awaitable<void> add_totals(client& redis, const managed_options& options, timestamp now,
                                 queue_look& look);

} // namespace coworker::program
