#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string_view>

namespace coworker {

/// What happened, told to observers. Which members of `event` mean something is said at each.
enum class event_kind
{
    connected,    ///< The first connection is up. message: the server's version.
    disconnected, ///< The connection was lost, or could not be made. message: why.
    reconnected,  ///< A connection is up again.
    warning,      ///< Something needs attention but does not stop the work. message.

    taken,      ///< Jobs were leased. queue, count.
    started,    ///< A handler was called. queue, job_id, attempt.
    succeeded,  ///< A handler ended with success. queue, job_id, attempt, duration.
    advanced,   ///< It goes on in another queue. queue, job_id, attempt, duration, message: which, delay.
    retried,    ///< It will run again. queue, job_id, attempt, duration, message, delay.
    failed,     ///< It was given up. queue, job_id, attempt, duration, message.
    broken,     ///< The payload did not decode. queue, job_id if there is one, message.
    given_back, ///< It went back to the front of its queue. queue, job_id.

    /// Somebody else may hold the job. queue, job_id, message. If its handler was running, it is cancelled:
    /// attempt, duration; no other event tells of its end.
    lease_lost,
    leases_renewed, ///< Leases were renewed. queue, count.
    recovered,      ///< The monitor returned jobs to a queue. queue, count, message: whose.
    settle_failed, ///< Redis refused to store outcomes; they are kept and tried again. queue, count, message.
    take_failed,   ///< Redis refused to hand out jobs; tried again. queue, message.
    safety_poll_found_work, ///< A wake-up was missed. queue.

    draining, ///< The worker was told to stop. count: handlers still running.
    stopped,  ///< The worker has stopped.
};

/// The name of a kind, such as "lease_lost".
std::string_view to_string(event_kind kind) noexcept;

/// One event. The texts are valid during the call only.
struct event
{
    event_kind kind;
    std::string_view queue{};
    std::string_view job_id{};
    std::string_view message{};
    std::size_t count = 0;
    unsigned attempt = 0;
    std::chrono::nanoseconds duration{0};
    std::chrono::milliseconds delay{0};
};

/// Called for every event, on the worker's executor, between its steps. It must return soon and must
/// not throw; what it throws is ignored.
using observer = std::function<void(const event&)>;

} // namespace coworker
