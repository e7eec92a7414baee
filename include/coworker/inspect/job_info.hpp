#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "coworker/job.hpp"
#include "coworker/managed_job.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

/// Where a job is.
enum class job_state
{
    waiting,
    scheduled, ///< delayed, or waiting for a retry
    running,
    failed,
    broken,   ///< a payload that no worker can run; list queues only
    stalled,  ///< its lease has ended, and nobody has taken it since; managed queues only
    depends,  ///< waits for other jobs; managed queues only
    complete, ///< done, and kept for a while; managed queues only
};

/// The name of a state, such as "waiting".
std::string_view to_string(job_state state) noexcept;

/// The state of that name, if there is one.
std::optional<job_state> parse_job_state(std::string_view name) noexcept;

/// A job of either kind of queue.
struct job_info
{
    queue_ref queue; ///< of a complete job without a name
    job_state state = job_state::waiting;

    /// Names the job to the calls that act on one. Of a managed queue the id; of a list queue opaque, and valid while
    /// the job stays in this state.
    std::string key;
    std::string id;   ///< empty if a payload does not decode
    std::string kind; ///< qless' klass; empty for jobs of list queues
    std::string
        data; ///< the job as JSON text; empty if a payload does not decode, or is too large to be sent
    /// Of a list queue, the bytes in Redis; of what is too large to be sent, the beginning.
    std::string payload;
    std::size_t size = 0; ///< bytes of the payload, or of the data

    std::optional<timestamp> queued_at;  ///< if its id, or its history, tells
    std::optional<timestamp> due_at;     ///< of a scheduled one
    std::optional<timestamp> started_at; ///< of a running one
    std::optional<timestamp> ended_at;   ///< when it failed, or was found to be broken
    std::string worker;                  ///< who holds it; empty: nobody, or a peer
    std::string group;                   ///< of a failure in a managed queue
    std::string message;                 ///< why it failed, is broken, or was retried; empty: not recorded
    unsigned attempts = 0;               ///< runs so far; 0: none, or not recorded

    /// Everything else that is stored of a job of a managed queue; null for others.
    std::shared_ptr<const managed_job> record;
};

/// A part of some jobs.
struct job_page
{
    std::vector<job_info> jobs;
    std::string next; ///< the cursor to go on with; empty: this was the last part
};

} // namespace coworker
