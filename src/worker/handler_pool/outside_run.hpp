// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_progress.hpp"
#include "signal.hpp"
#include "worker/conclusion.hpp"
#include "worker/told_note.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

/// Handlers that run outside of the worker's executor, on the one that `handle_options::executor` names. All that is the
/// worker's stays where it is: these functions and this struct are what the two sides have in common.
namespace coworker::detail {

struct running_job;

/// What a run outside and its worker share. It keeps nothing of the worker: if the handler's context stops, what is left
/// of the run stays there.
struct outside_run
{
    asio::any_io_executor strand; ///< of this run: a handler and its cancellation may not meet
    /// The fencing token that the run began with: the worker replaces the job's when it renews the lease.
    std::shared_ptr<const std::string> lease;

    // --- on the strand ---

    asio::cancellation_signal coroutine;  ///< ends what the handler waits for
    asio::cancellation_signal own_signal; ///< for the handler's own use
    bool has_ended = false;               ///< the handler has

    // --- on the worker's executor ---

    std::optional<handler_end> end;
    std::atomic<bool> is_stuck = false; ///< there will be no end
    signal* over = nullptr;             ///< there is an end, or there will be none; null: nobody waits

    // --- with the mutex ---

    std::mutex mutex;
    told_note told; ///< by the handler, and not seen by the worker
};

/// Whether the context of an executor does not run anything any more: it was stopped, or has run out of work. False if it
/// cannot be found out, since the context is none of Asio's.
bool has_stopped(const asio::any_io_executor& executor);

/// Calls the job's handler outside, and returns on the worker's executor when it has ended; with nothing, if the run is
/// given up. Its coroutine cannot be cancelled: see `cancel_outside`.
asio::awaitable<std::optional<handler_end>> run_outside(running_job& job);

/// Tells a handler to end. One that has not been called by then is not called any more.
void cancel_outside(const std::shared_ptr<outside_run>& run);

/// Nobody waits for its end any more.
void give_up_outside(outside_run& run);

/// Called where the handler runs: the worker is to know how far the job is, or what it logs. It sees this when it has time.
void tell_progress(running_job& job, job_progress progress);
void tell_log(running_job& job, std::string line);

} // namespace coworker::detail
