#pragma once

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>
#include <boost/system/system_error.hpp>

namespace coworker {

using boost::system::error_code;
using boost::system::result;
using boost::system::system_error;

/// What can go wrong. Thrown inside a `system_error` when Redis cannot do its part;
/// returned inside a `result` when the answer is no.
enum class errc
{
    /// The client was stopped or destroyed while the call was waiting.
    stopped = 1,
    /// No connection to Redis could be made in time.
    unavailable,
    /// The connection was lost after the request had been written and before it was
    /// answered. It may or may not have been carried out.
    unanswered,
    /// Redis is connected but did not answer within the command timeout. The request may
    /// or may not have been carried out.
    timed_out,
    /// Redis refused the user name or password.
    authentication_refused,
    /// The server is older than Redis 7.0.
    server_too_old,
    /// The server's maxmemory-policy lets it throw away keys without a time to live, so jobs.
    evicting_server,
    /// The server is a replica that accepts no writes, or has lost too many of its replicas to accept any.
    /// Nothing has been carried out.
    read_only_server,
    /// Redis refused the connection's set-up commands, for example for want of permissions.
    setup_refused,
    /// Redis answered a command with an error; the message is Redis' own.
    command_refused,
    /// A key of the queue holds something else than the layout says.
    wrong_key_type,
    /// The URL, or an option beside it, cannot be used.
    invalid_option,
    /// The queue's name is empty or too long.
    invalid_queue_name,
    /// A job id given by the caller is empty, too long or not UTF-8.
    invalid_job_id,
    /// The job's JSON is larger than the queue's `max_job_size`.
    job_too_large,
    /// The job has no JSON form: text that is not UTF-8, a number that is not finite,
    /// nesting that is too deep, or invalid JSON text.
    not_serializable,
    /// The payload or the job's JSON does not decode.
    not_decodable,
    /// There is no such job in this place; it may have moved on.
    job_not_found,
    /// The job is no longer held by this worker.
    lease_lost,
    /// The worker is already running, or has been run before.
    already_running,
    /// The worker has no queue to work on, or the same queue twice.
    invalid_worker,
    /// The job is not running: nobody has popped it, or whoever did has lost it or is done with it.
    job_not_running,
    /// The job runs in another queue than the caller thinks.
    job_in_another_queue,
    /// Another job waits for the one to be cancelled, and is not to be cancelled with it.
    still_depended_on,
    /// The job does not wait for others, so its dependencies cannot be changed.
    not_waiting_for_dependencies,
    /// There is no recurring job of that id.
    recurring_job_not_found,
    /// Redis' answer has another form than the command calls for: something on the way has changed it, or the
    /// server is none. The request may or may not have been carried out.
    unexpected_answer,
    /// Something threw an exception that has no error code: a job source, an observer or a conversion of the program's
    /// own. `with_diagnostics` passes it on.
    unexpected_exception,
    /// The client is used on more than one thread, without `client_options::thread_safe` or a strand.
    wrong_thread,
    /// There is no queue of this name, or it is empty and nobody has ever worked on it.
    queue_not_found,
    /// The queue still has jobs.
    queue_not_empty,
};

/// The category of `errc`; its name is "coworker".
const boost::system::error_category& category() noexcept;

inline error_code make_error_code(errc code) noexcept
{
    return {static_cast<int>(code), category()};
}

} // namespace coworker

template<>
struct boost::system::is_error_code_enum<coworker::errc> : std::true_type
{};
