// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/codec.hpp"
#include "coworker/job.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Jobs of managed queues as they are stored. A job's id is called `jid`, as in qless; its kind is what qless
/// calls `klass`.
namespace coworker {

/// The states of a job of a managed queue.
enum class managed_state
{
    waiting,   ///< Ready to run; the highest priority runs first.
    scheduled, ///< Delayed.
    depends,   ///< Waits until other jobs are complete.
    running,   ///< Leased to a worker.
    stalled,   ///< Taken from a worker, or released by it; runs before all waiting jobs.
    failed,    ///< Given up; kept in a group of failures.
    complete,  ///< Done; kept for a while.
    recurring, ///< A recurring job, from which jobs are made at each interval.
};

/// The name of a state, such as "waiting". These are qless' names, but for "recurring", which qless calls "recur".
std::string_view to_string(managed_state state) noexcept;

/// One line of a job's history.
struct managed_history_entry
{
    timestamp when{}; ///< when it happened, in whole seconds
    /// "put", "popped", "done", "failed", "timed-out", or a message given to `managed_client::async_log`.
    std::string what;

    std::string queue;  ///< of "put": the queue; else empty
    std::string worker; ///< of "popped" and "failed": the worker; else empty
    std::string group;  ///< of "failed": the group; else empty

    /// Everything else that the entry contains, as the text of a JSON object; empty if nothing.
    std::string details;
};

/// Why a job failed, or was retried.
struct managed_failure
{
    std::string group;             ///< what kind of failure
    std::string message;           ///< for people
    std::optional<timestamp> when; ///< empty: not recorded
    std::string worker;            ///< empty: a lease ended, and no retry was left
};

/// A job of a managed queue.
struct managed_job
{
    std::string jid;                              ///< its id
    std::string kind;                             ///< its kind
    std::string data;                             ///< JSON text, byte for byte as it was pushed
    managed_state state = managed_state::waiting; ///< where it is
    std::string queue;                            ///< the queue's name; empty once complete
    std::string worker;                           ///< who has the job, or had it last; may be empty
    double priority = 0;                          ///< larger runs first
    std::vector<std::string> tags;                ///< in the order in which they were added

    /// When its lease ends unless the worker renews it. Empty: it is not leased.
    std::optional<timestamp> expires;

    int retries = 0;   ///< how often it may be retried altogether
    int remaining = 0; ///< how often it may still be retried; -1: it has failed because none was left

    std::vector<managed_history_entry> history; ///< oldest first
    std::optional<managed_failure> failure;     ///< the last one; a job that runs again may still succeed
    std::string spawned_from;                   ///< jid of the recurring job that it comes from; else empty

    std::vector<std::string> dependents;   ///< jids of the jobs that wait for this one, in no order
    std::vector<std::string> dependencies; ///< jids of the jobs that this one waits for, in no order
    bool tracked = false;                  ///< its events are published: see `managed_events`

    /// The data as a C++ type, or the error of `decode`.
    template<class Data>
    result<Data> data_as() const
    {
        return decode<Data>(data);
    }
};

/// A recurring job: a schedule that makes a job at each interval.
struct recurring_job
{
    std::string jid;                       ///< its id
    std::string kind;                      ///< the kind of its jobs
    std::string data;                      ///< the data of its jobs, JSON text
    std::string queue;                     ///< the queue that its jobs are pushed to
    double priority = 0;                   ///< of its jobs; larger runs first
    std::vector<std::string> tags;         ///< of its jobs
    std::chrono::microseconds interval{0}; ///< the time between two jobs
    int retries = 0;                       ///< how often each of its jobs may be retried
    int count = 0; ///< how many jobs it has made; the last one is called `<jid>-<count>`

    /// How many missed runs to catch up on, besides the latest. 0 = all.
    int backlog = 0;

    /// The data as a C++ type, or the error of `decode`.
    template<class Data>
    result<Data> data_as() const
    {
        return decode<Data>(data);
    }
};

} // namespace coworker
