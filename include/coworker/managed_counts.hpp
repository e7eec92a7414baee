// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_job.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// @file
/// What `managed_queue` and `managed_client` tell of queues, workers and lists of jobs.
namespace coworker {

/// The number of jobs in each state of a queue.
struct managed_queue_counts
{
    std::string name;            ///< of the queue
    std::uint64_t waiting = 0;   ///< ready to run
    std::uint64_t running = 0;   ///< leased to workers
    std::uint64_t stalled = 0;   ///< their lease has ended, and no worker has popped them since
    std::uint64_t scheduled = 0; ///< delayed
    std::uint64_t depends = 0;   ///< wait until other jobs are complete
    std::uint64_t recurring = 0; ///< recurring jobs: schedules
    bool paused = false;         ///< workers get no jobs from it

    /// How many jobs wait, run or are delayed: what qless calls the queue's length.
    std::uint64_t length() const noexcept { return waiting + running + stalled + scheduled; }
};

/// A part of a list of jobs.
struct managed_page
{
    std::uint64_t total = 0;       ///< how many jobs the whole list has
    std::vector<std::string> jids; ///< those of this part
};

/// The jobs that are tracked.
struct tracked_jobs
{
    std::vector<managed_job> jobs;    ///< those that exist
    std::vector<std::string> expired; ///< jids of those that do not exist any more
};

/// A worker, and how many jobs it has.
struct managed_worker_counts
{
    std::string name;          ///< the worker's name
    std::uint64_t running = 0; ///< jobs that are leased to it
    std::uint64_t stalled = 0; ///< jobs whose lease has ended
};

/// The jids of the jobs that a worker has.
struct managed_worker_jobs
{
    std::vector<std::string> running; ///< leased to it
    std::vector<std::string> stalled; ///< their lease has ended
};

} // namespace coworker
