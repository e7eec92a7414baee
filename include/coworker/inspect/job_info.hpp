// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "coworker/job.hpp"
#include "coworker/job_limits.hpp"
#include "coworker/job_log.hpp"
#include "coworker/job_progress.hpp"
#include "coworker/job_signals.hpp"
#include "coworker/managed_job.hpp"
#include "coworker/pushed_options.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

/// The states of a job.
enum class job_state
{
    waiting,   ///< ready to run
    scheduled, ///< delayed, or waiting for a retry
    running,   ///< leased to a worker
    failed,    ///< given up
    broken,    ///< a payload that no worker can run; list queues only
    stalled,   ///< its lease has ended, and no worker has fetched it since; managed queues only
    depends,   ///< waits until other jobs are complete; managed queues only
    complete,  ///< done, and kept for a while; managed queues only
};

/// The name of a state, such as "waiting".
std::string_view to_string(job_state state) noexcept;

/// The state of that name, if there is one.
std::optional<job_state> parse_job_state(std::string_view name) noexcept;

/// What a job of a managed queue was pushed with, beside priority, retries and tags: `managed_push_options`.
struct job_options : pushed_options
{
    std::vector<limit_use> limits; ///< limits that it is subject to, beside its queue's
    std::string order_key;         ///< of the jobs with this key one runs at a time; empty: it has none
    std::string group;             ///< the group whose turn it waits for; empty: it has none
    std::string unique_key;        ///< its unique key; one that is made of the job's data is as it is stored
    std::vector<std::string> failed_parents; ///< parents that failed or were cancelled, and it went on

    bool awaits_signal = false; ///< it waits for the signal `wait_for_signal`, which has not come
    bool held_back = false;     ///< it waits, and a limit, an order key or its group's turn may hold it back
    /// The limit that keeps it from being taken now. Empty: none does; it waits for its order key or its group's turn, or for
    /// a worker.
    std::string held_by;

    /// It waits, and workers have met it that do not handle its kind or version; none that does has had it yet.
    bool unhandled = false;
};

/// A job of either kind of queue.
struct job_info
{
    queue_ref queue;                      ///< its queue; without a name if the job is complete
    job_state state = job_state::waiting; ///< where it is

    /// Identifies the job to `inspector::async_act`. In a managed queue it is the id; in a list queue it is opaque, and
    /// valid while the job stays in this state.
    std::string key;
    std::string id;   ///< empty if a payload does not decode
    std::string kind; ///< qless' klass; empty for jobs of list queues
    /// The job as JSON text; empty if a payload does not decode, or is too large for a connection.
    std::string data;
    /// In a list queue the bytes in Redis, or the beginning of a payload that is too large for a connection.
    std::string payload;
    std::size_t size = 0; ///< of the payload, or of the data, in bytes

    std::optional<timestamp> queued_at;  ///< if its id or its history tells
    std::optional<timestamp> due_at;     ///< when a scheduled job may run
    std::optional<timestamp> started_at; ///< when the lease of a running job began
    std::optional<timestamp> ended_at;   ///< when it was complete, failed, or was found to be broken
    std::string worker;                  ///< who runs it; empty: none, or a peer
    std::string group;                   ///< its group of failures in a managed queue
    std::string message;                 ///< why it failed, is broken, or was retried; empty: not recorded
    unsigned attempts = 0;               ///< runs so far; 0: none, or not recorded

    // Only of a single job of a managed queue, as `inspector::async_job` shows it.

    std::optional<raw_json> result;       ///< what its handler has returned, while that is kept
    std::optional<job_progress> progress; ///< how far it was when its handler last told
    std::vector<job_log_line> log;        ///< what its handler has logged, oldest first

    job_signals signals; ///< those that it got, and what it has waited for
    std::map<std::string, std::string>
        steps;              ///< those that its runs have stored: names, and values as JSON text
    std::string checkpoint; ///< where its next run may go on, as JSON text; empty: nothing is stored

    std::optional<job_options> options; ///< what it was pushed with

    /// Everything else that is stored of a job of a managed queue; null for other jobs.
    std::shared_ptr<const managed_job> record;
};

/// A part of the jobs.
struct job_page
{
    std::vector<job_info> jobs; ///< the jobs of this part
    std::string next;           ///< the cursor to go on with; empty: this was the last part
};

} // namespace coworker
