#pragma once

#include "coworker/codec.hpp"
#include "coworker/job.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Jobs of the managed queue as they are stored. The words are qless': a job's id is its `jid`, its kind its
/// `klass`.
namespace coworker {

/// Where a job of the managed queue is.
enum class managed_state
{
    waiting,   ///< Will be handed out, highest priority first.
    scheduled, ///< Delayed.
    depends,   ///< Waits for other jobs to be completed.
    running,   ///< Held by a worker.
    stalled,   ///< Taken from a worker, or given back by it; handed out before anything else.
    failed,    ///< Given up; filed under a group.
    complete,  ///< Done; kept for a while.
    recurring, ///< Not a job itself: jobs are spawned from it.
};

/// The name of a state, such as "waiting". qless' own names, but "recurring" stands for its "recur".
std::string_view to_string(managed_state state) noexcept;

/// One line of a job's history.
struct managed_history_entry
{
    timestamp when{}; ///< whole seconds
    /// "put", "popped", "done", "failed", "timed-out", or any message given to `log`.
    std::string what;

    std::string queue;  ///< where it was put; else empty
    std::string worker; ///< who popped or failed it; else empty
    std::string group;  ///< of a failure; else empty

    /// All that the entry says beside `when` and `what`, as the text of a JSON object; empty if nothing.
    std::string details;
};

/// Why a job failed, or was retried.
struct managed_failure
{
    std::string group;             ///< what kind of failure
    std::string message;           ///< for people
    std::optional<timestamp> when; ///< empty: not recorded
    std::string worker;            ///< empty: attempts were used up without a worker's doing
};

/// A job of the managed queue.
struct managed_job
{
    std::string jid;
    std::string klass;
    std::string data; ///< JSON text, to the byte as it was put
    managed_state state = managed_state::waiting;
    std::string queue;   ///< empty once complete
    std::string worker;  ///< who holds it; after a retry or a timeout who held it last. Else empty
    double priority = 0; ///< larger runs first
    std::vector<std::string> tags;

    /// When its lock ends unless there is a heartbeat. Empty: nobody holds it.
    std::optional<timestamp> expires;

    int retries = 0;   ///< how often it may be retried
    int remaining = 0; ///< how many of these are left; -1: used up

    std::vector<managed_history_entry> history; ///< oldest first
    std::optional<managed_failure> failure;     ///< the last one, which may lie before a success under way
    std::string spawned_from;                   ///< jid of the recurring job it came from; else empty

    std::vector<std::string> dependents;   ///< jids that wait for this one, in no order
    std::vector<std::string> dependencies; ///< jids that this one waits for, in no order
    bool tracked = false;

    /// The data as a C++ type: anything `decode` knows.
    template<class Data>
    result<Data> data_as() const
    {
        return decode<Data>(data);
    }
};

/// A job from which others are spawned at an interval.
struct recurring_job
{
    std::string jid;
    std::string klass;
    std::string data; ///< JSON text, given to every spawned job
    std::string queue;
    double priority = 0;
    std::vector<std::string> tags;
    std::chrono::microseconds interval{0};
    int retries = 0; ///< of every spawned job
    int count = 0;   ///< how many were spawned so far; the last is called `<jid>-<count>`

    /// How many of the turns that nobody was there for are made up for, beside the latest. Zero: all.
    int backlog = 0;

    /// The data as a C++ type: anything `decode` knows.
    template<class Data>
    result<Data> data_as() const
    {
        return decode<Data>(data);
    }
};

} // namespace coworker
