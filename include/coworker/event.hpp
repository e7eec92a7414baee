// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/option_list.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string_view>

namespace coworker {

/// What happened. Each kind names the members of `event` that are set.
enum class event_kind
{
    connected,    ///< The first connection is up. message: the server's version.
    disconnected, ///< The connection was lost, or could not be made. message: why.
    reconnected,  ///< A connection is up again. message: the server's version.
    warning,      ///< Something needs attention, and the work goes on. message; queue if it concerns one.

    fetched,   ///< The worker has fetched jobs. queue, count.
    started,   ///< A handler was called. queue, job_id, attempt.
    succeeded, ///< A job is done. queue, job_id, attempt, duration.
    forwarded, ///< A job was forwarded. queue, job_id, attempt, duration, message: to which queue, delay.
    retried,   ///< A job will run again. queue, job_id, attempt, duration, message: why, delay.
    failed,    ///< A job was given up. queue, job_id, attempt, duration, message: why.
    broken,    ///< A payload did not decode. queue, job_id if there is one, message: why.
    released,  ///< A job was released. queue, job_id.

    /// A job's lease was lost: another worker may have the job. queue, job_id, message: why. If the handler was
    /// running, it is cancelled, and attempt and duration are set; no other event tells of its end.
    lease_lost,

    /// The answer to an acknowledgement with effects was lost. It was sent again, and Redis refused it. Either the first
    /// was carried out, and the job has ended so; or the lease was lost before, and the job runs again elsewhere.
    /// queue, job_id, attempt, duration, delay, message: how the handler ended.
    in_doubt,
    /// Jobs were left waiting: this worker has no handler for their kind. Told at most once a minute for each kind.
    /// queue, count: since it was told last, message: the kind.
    unhandled,
    leases_renewed, ///< Leases were renewed. queue, count.
    recovered,      ///< The monitor returned jobs to a queue. queue, count, message: whose.
    ack_failed,     ///< Redis refused to store outcomes; the worker tries again. queue, count, message: why.
    fetch_failed,   ///< Redis refused to hand out jobs; the worker tries again. queue, message: why.
    fallback_poll_found_work, ///< The fallback poll found jobs: a notification was missed. queue.

    stopping, ///< The worker was told to stop. count: handlers still running.
    stopped,  ///< The worker has stopped.
};

/// The name of a kind, such as "lease_lost".
std::string_view to_string(event_kind kind) noexcept;

/// One event. The texts are valid during the call only.
struct event
{
    event_kind kind;                      ///< what happened; says which other members are set
    std::string_view queue{};             ///< the name of the queue
    std::string_view job_id{};            ///< the job's id
    std::string_view message{};           ///< for people
    std::size_t count = 0;                ///< how many jobs, leases or handlers
    unsigned attempt = 0;                 ///< 1 for the first run of the job
    std::chrono::nanoseconds duration{0}; ///< for how long the handler ran; zero: it was not called
    std::chrono::milliseconds delay{0};   ///< how long the job waits before it runs again
};

/// A function that receives events. It is called on the worker's (or the client's) executor, between other work, so it
/// must return soon. What it throws is ignored.
using observer = std::function<void(const event&)>;

/// The observers of a worker or monitor that was given none: one that writes problems to `std::clog`, as
/// `log_to(std::clog)` does.
option_list<observer> default_observers();

} // namespace coworker
