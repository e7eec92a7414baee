// SPDX-License-Identifier: MIT
#pragma once

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>
#include <boost/system/system_error.hpp>

#include <stdexcept>
#include <string>

namespace coworker {

using boost::system::error_code;
using boost::system::result;
using boost::system::system_error;

/// What can go wrong. Operations complete with it as their error code, or throw a `system_error` with it, when
/// Redis cannot do its part or an argument is wrong. They return it in a `result` when the answer is no in normal
/// use.
///
/// `in_doubt`, `timed_out` and `unexpected_answer` leave in doubt whether Redis has carried out the request.
enum class errc
{
    /// The client was stopped or destroyed while the call was waiting.
    stopped = 1,
    /// No connection to Redis could be made in time.
    unavailable,
    /// The connection was lost after the request had been written and before it was answered. Redis may or may not have
    /// carried it out. Or some partitions of a queue have taken their jobs, and others have not.
    in_doubt,
    /// Redis did not answer within `client_options::command_timeout`. It may or may not have carried out the request.
    timed_out,
    /// Redis refused the user name or password.
    authentication_refused,
    /// The server is older than Redis 7.0.
    server_too_old,
    /// The server's maxmemory-policy lets it evict keys without a time to live, so jobs; see
    /// `client_options::accept_eviction`.
    evicting_server,
    /// The server is a replica that accepts no writes, or a primary that has lost too many of its replicas to accept
    /// any. It has not carried out the request.
    read_only_server,
    /// Redis refused the connection's set-up commands, for example because the user lacks permissions.
    setup_refused,
    /// Redis answered a command with an error; the message is Redis' own.
    command_refused,
    /// A key of the queue has another type than the layout says.
    wrong_key_type,
    /// The URL, or an option beside it, cannot be used.
    invalid_option,
    /// The queue's name is empty or too long.
    invalid_queue_name,
    /// A job id given by the caller is empty, too long or not UTF-8.
    invalid_job_id,
    /// The job's JSON is larger than the queue's `max_job_size`.
    job_too_large,
    /// The job has no JSON form: text that is not UTF-8, a number that is not finite, too deep nesting, or invalid
    /// JSON text.
    not_serializable,
    /// The payload or the job's JSON does not decode.
    not_decodable,
    /// There is no such job in this place; it may have moved on.
    job_not_found,
    /// This worker's lease of the job has ended; another worker may have the job.
    lease_lost,
    /// The worker, monitor or gateway is running, or has run before: each runs once.
    already_running,
    /// The worker or monitor has no queue, the same queue twice, or a queue whose client has another executor.
    invalid_worker,
    /// The job is not running: no worker has fetched it, or its lease has ended.
    job_not_running,
    /// A job cannot be cancelled because another job waits for it that is not cancelled in the same call.
    still_depended_on,
    /// The job does not wait for others, so its dependencies cannot be changed.
    not_waiting_for_dependencies,
    /// There is no recurring job of that id.
    recurring_job_not_found,
    /// Redis' answer has another form than the command's answers have: something on the way has changed it, or the
    /// server is not Redis. The request may or may not have been carried out.
    unexpected_answer,
    /// The program's own code, such as a job source or a conversion to JSON, threw an exception that is no
    /// `system_error`. `with_diagnostics` passes on the exception itself.
    unexpected_exception,
    /// The client is used on more than one thread, without `client_options::thread_safe` or a strand.
    wrong_thread,
    /// There is no queue of this name, or it is empty and no worker has ever worked on it.
    queue_not_found,
    /// The queue still has jobs.
    queue_not_empty,
    /// Jobs of the queue run, or workers are connected to it.
    queue_in_use,
    /// There is no schedule of this name.
    schedule_not_found,
    /// Another job of the queue has the unique key, and `on_conflict::refuse` was asked for.
    not_unique,
    /// The job that was waited for has failed; the message says why.
    job_failed,
    /// The job that was waited for is gone without a result: it was cancelled or deleted, or its record was not kept.
    job_gone,
    /// The job is complete, and has no result: its handler returned none, or the result's time is over.
    no_result,
    /// The queue cannot do this; another kind of queue can.
    not_supported,
    /// There is no batch of this id, or none any more.
    batch_not_found,
    /// The batch has ended or was cancelled: nothing can be added to it.
    batch_ended,
    /// What was pushed is queued, but the `durability` that was asked for was not confirmed in time. It may be reached
    /// yet.
    unconfirmed,
    /// The job has ended: it is complete or failed, so no signal reaches it.
    job_ended,
    /// The job has as many signals as it may have; see `managed_client::async_signal`.
    too_many_signals,
    /// The keys there are kept in a layout that a later release writes, and this one must not touch; see
    /// docs/stability.md. A client that meets it ends, also one that has worked before.
    newer_layout,
    /// As many jobs wait in the queue as may: `managed_queue::async_set_max_waiting`, `list_queue_options::max_waiting`.
    /// Nothing of this job was stored.
    queue_full,
};

/// The category of `errc`; its name is "coworker".
const boost::system::error_category& category() noexcept;

/// An error code of the category "coworker"; conversions from `errc` use it.
inline error_code make_error_code(errc code) noexcept
{
    return {static_cast<int>(code), category()};
}

/// A `system_error` whose text says by itself what is wrong and what to do, such as one with `errc::invalid_option`.
/// `what()` is that text and the code in brackets, without the code's message, which says less.
class explained_error : public system_error
{
public:
    /// @param code  what went wrong
    /// @param why  the same for people: a sentence
    explained_error(error_code code, const std::string& why)
        : system_error{code, why}, text_{why + " [" + code.to_string() + ']'}
    {}

    /// The text and the code.
    const char* what() const noexcept override { return text_.what(); }

private:
    std::runtime_error text_; ///< which copies without throwing
};

} // namespace coworker

/// @cond
template<>
struct boost::system::is_error_code_enum<coworker::errc> : std::true_type
{};
/// @endcond
