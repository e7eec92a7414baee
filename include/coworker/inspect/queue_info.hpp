#pragma once

#include "coworker/inspect/queue_ref.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coworker {

/// What has become of the jobs of a queue. Of a list queue since it was made, counted by coworker's workers only; of a
/// managed queue today (UTC), whoever ran them.
struct queue_totals
{
    std::uint64_t succeeded = 0;
    std::uint64_t retried = 0;
    std::uint64_t failed = 0;
    std::uint64_t broken = 0; ///< payloads that no worker could run; list queues only
    std::uint64_t lost = 0;   ///< runs whose lease ended, or whose worker died

    friend bool operator==(const queue_totals&, const queue_totals&) = default;
};

/// A queue at one moment.
struct queue_info
{
    queue_ref queue;
    bool paused = false;

    std::uint64_t waiting = 0;   ///< could run now, the overdue ones included
    std::uint64_t overdue = 0;   ///< due, and no worker has looked for them yet
    std::uint64_t scheduled = 0; ///< delayed, or waiting for a retry
    std::uint64_t running = 0;
    std::uint64_t stalled =
        0; ///< their lease has ended, and nobody has taken them since; managed queues only
    std::uint64_t depends = 0;   ///< wait for other jobs; managed queues only
    std::uint64_t recurring = 0; ///< schedules; managed queues only
    std::uint64_t broken = 0;    ///< payloads that no worker can run; list queues only
    /// Empty for a managed queue: failed jobs are filed by group, not by queue. See `inspector::async_failures`.
    std::optional<std::uint64_t> failed;

    /// For how long the job that is next to run could have run. Empty: nothing waits.
    std::optional<std::chrono::milliseconds> latency;

    /// Connected workers of coworker's that take jobs from it. Empty for a managed queue: which queues a worker of
    /// these takes jobs from is not recorded.
    std::optional<std::uint64_t> workers;

    queue_totals totals;
};

/// A part of the queues.
struct queue_page
{
    std::vector<queue_info> queues;
    std::string next; ///< the cursor to go on with; empty: this was the last part
};

} // namespace coworker
