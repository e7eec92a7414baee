// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_history.hpp"
#include "coworker/inspect/queue_ref.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coworker {

/// What has become of the jobs of a queue. In a list queue these are totals since the queue was made, and only
/// coworker's workers count them. In a managed queue they are the totals of today (UTC), whoever ran the jobs.
struct queue_totals
{
    std::uint64_t succeeded = 0; ///< jobs that are done
    std::uint64_t retried = 0;   ///< retries
    std::uint64_t failed = 0;    ///< jobs that were given up
    std::uint64_t broken = 0;    ///< payloads that no worker could run; list queues only
    std::uint64_t lost = 0;      ///< runs whose lease ended, or whose worker died
    std::uint64_t dropped = 0;   ///< failed jobs beyond `list_queue_options::failed_limit`; list queues only
    std::uint64_t dropped_broken =
        0; ///< broken jobs beyond `list_queue_options::broken_limit`; list queues only

    /// The same numbers.
    friend bool operator==(const queue_totals&, const queue_totals&) = default;
};

/// A queue at one moment.
struct queue_info
{
    queue_ref queue;      ///< its kind and name
    bool paused = false;  ///< workers get no jobs from it
    bool notices = false; ///< notices are written about it; see `inspector::async_set_notices`

    std::uint64_t waiting = 0; ///< may run now, including those that are overdue or held back
    std::uint64_t overdue = 0; ///< scheduled jobs that are due and that no worker has fetched yet
    /// Waiting jobs that limits, order keys or turns of groups may hold back: all that have one. `job_options::held_by`
    /// says what holds back one of them now. Managed queues only.
    std::uint64_t held_back = 0;
    /// Waiting jobs of kinds that no worker handles: workers have met and left them, and for five minutes none that
    /// handles their kind has fetched. Managed queues only.
    std::uint64_t unhandled = 0;
    /// Those kinds, ten at most; a version other than 1 follows in brackets, "mail (version 2)".
    std::vector<std::string> unhandled_kinds;
    std::uint64_t scheduled = 0; ///< delayed, or waiting for a retry
    std::uint64_t running = 0;   ///< leased to workers
    /// Their lease has ended, and no worker has fetched them since; managed queues only.
    std::uint64_t stalled = 0;
    std::uint64_t depends = 0;   ///< wait until other jobs are complete; managed queues only
    std::uint64_t recurring = 0; ///< recurring jobs: schedules; managed queues only
    std::uint64_t broken = 0;    ///< payloads that no worker can run; list queues only
    /// Jobs that were given up. Empty for a managed queue if more than 1000 jobs of all managed queues have failed.
    /// Redis keeps these by group, not by queue, so each has to be read to count them. See
    /// `inspector::async_failures`.
    std::optional<std::uint64_t> failed;

    /// For how long the next job could have run already. Empty: no job waits.
    std::optional<std::chrono::microseconds> latency;

    /// How many of coworker's workers fetch from it. A worker counts while it is connected. One without a connection
    /// of its own, such as a worker over HTTP, counts if it was seen within five minutes. Those of other libraries do
    /// not, nor does a worker of a managed queue that was not idle once within a day.
    std::optional<std::uint64_t> workers;

    unsigned partitions = 0; ///< how many partitions it is the sum of; 0: it is not divided. List queues only

    /// How many of its partitions are not counted here, since their node of a Redis Cluster did not answer: 0 to
    /// `partitions`. A queue that is not divided counts as one partition. So does a queue of which it is not known how
    /// many partitions it has. Where nothing is counted (`is_missing`), all numbers are 0 or empty. Always 0 on one
    /// server.
    unsigned unreachable = 0;
    /// Whether nothing of it could be counted.
    bool is_missing() const noexcept { return unreachable != 0 && unreachable >= partitions; }

    queue_totals totals; ///< what has become of its jobs

    /// What became of its jobs lately: `queue_history::rates` of one minute. Workers and `monitor`s note it.
    jobs_per_minute rates;
};

/// A part of the queues.
struct queue_page
{
    std::vector<queue_info> queues; ///< the queues of this part
    std::string next;               ///< the cursor to go on with; empty: this was the last part

    /// Nodes of a Redis Cluster that did not answer, as "host:port". Of their queues those are missing here whose names
    /// nobody else knows; for others see `queue_info::unreachable`. Empty: all answered, as always on one server.
    std::vector<std::string> missing_nodes;
};

/// A part of the names of queues.
struct queue_names
{
    std::vector<std::string>
        names;        ///< those found in this part; may be none although there are further parts
    std::string next; ///< the cursor to go on with; empty: this was the last part
    /// Nodes of a Redis Cluster that did not answer, as "host:port": names of queues there are missing.
    std::vector<std::string> missing_nodes;
};

} // namespace coworker
