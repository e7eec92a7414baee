// SPDX-License-Identifier: MIT
#include "worker/lease_keeper.hpp"

#include "batch_size.hpp"
#include "worker/job_events.hpp"
#include "worker/queue_runner.hpp"
#include "worker/source_failure.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <optional>

namespace coworker::detail {
namespace {

/// Waits until the timer has expired or was cancelled. Throws when the coroutine is cancelled.
asio::awaitable<void> wait_or_cancelled(asio::steady_timer& timer)
{
    error_code ignored;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw system_error{asio::error::operation_aborted};
}

} // namespace

lease_keeper::lease_keeper(worker_life& life, handler_pool& handlers, queue_runner& queue)
    : life_{life}, handlers_{handlers}, queue_{queue}, table_{queue.options().lease},
      has_renewed_{life.get_executor()}, renew_timer_{life.get_executor()}, guard_timer_{life.get_executor()}
{}

void lease_keeper::add(running_job& job)
{
    if (table_.add(job))
        look_again();
}

void lease_keeper::remove(running_job& job)
{
    table_.remove(job);
    has_renewed_.notify(); // there is one lease less to wait for
}

void lease_keeper::renew_now(running_job& job)
{
    table_.renew_now(job);
    renew_timer_.cancel();
}

void lease_keeper::told_lost(running_job& job)
{
    if (!job.has_ended)
        renew_now(job);
}

void lease_keeper::renew_all_now()
{
    table_.renew_all_now();
    renew_timer_.cancel();
}

asio::awaitable<void> lease_keeper::be_certain()
{
    while (table_.awaits_renewal())
        co_await has_renewed_.wait();
}

/// More often than before.
void lease_keeper::look_again()
{
    renew_timer_.cancel();
    guard_timer_.cancel();
}

asio::awaitable<void> lease_keeper::renew_loop()
{
    for (;;) {
        renew_timer_.expires_after(table_.pause(clock::now()));
        co_await wait_or_cancelled(renew_timer_);
        std::vector<running_job*> jobs;
        for (auto* lease : table_.due(clock::now()))
            jobs.push_back(static_cast<running_job*>(lease));
        if (jobs.empty())
            continue;
        std::optional<system_error> error;
        try {
            co_await renew(jobs);
        } catch (const system_error& caught) {
            error = caught;
        }
        const auto state = co_await asio::this_coro::cancellation_state;
        if (error) // the table knows when to try again
            queue_.report(*error, state.cancelled(), event_kind::warning, jobs.size());
    }
}

/// Renews leases, as many with one call as is good. What one call has answered is acted upon before the next one,
/// which may fail.
asio::awaitable<void> lease_keeper::renew(std::vector<running_job*> jobs)
{
    for (auto* job : jobs)
        table_.renewing(*job);
    std::exception_ptr error;
    std::span<running_job* const> rest{jobs};
    while (!rest.empty() && !error) {
        const auto batch =
            rest.first(batch_size(rest, [](const running_job* job) { return job->job.body.size(); }));
        error = co_await renew_batch(batch);
        rest = rest.subspan(batch.size());
    }
    for (auto* job : rest) {
        table_.not_renewed(*job, clock::now());
        renewal_ended(*job);
    }
    if (error)
        std::rethrow_exception(error);
}

/// One call. Returns what it threw.
asio::awaitable<std::exception_ptr> lease_keeper::renew_batch(std::span<running_job* const> jobs)
{
    const auto asked = clock::now();
    std::vector<fetched_job*> leases;
    std::vector<bool> were_in_doubt;
    for (auto* job : jobs) {
        leases.push_back(&job->job);
        were_in_doubt.push_back(job->job.in_doubt);
    }
    std::vector<std::size_t> lost;
    std::exception_ptr error;
    bool was_refused = false;
    try {
        lost = co_await queue_.source().renew(leases);
    } catch (const system_error& thrown) {
        error = std::current_exception();
        was_refused = judge_failure(thrown.code(), asio::cancellation_type::none) == source_failure::refused;
    } catch (...) {
        error = std::current_exception();
    }
    if (!error)
        renewed(jobs, lost, asked);
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        auto& job = *jobs[i];
        job.job.in_doubt = error && (!was_refused || were_in_doubt[i]);
        if (error)
            table_.not_renewed(job, clock::now());
        renewal_ended(job);
    }
    co_return error;
}

/// What a call has answered. Only what the source says to be renewed is: the guard rests on that.
void lease_keeper::renewed(std::span<running_job* const> jobs, const std::vector<std::size_t>& lost,
                           clock::time_point asked)
{
    for (const auto index : lost)
        lose(*jobs[index], "another worker or the monitor took it");
    const auto since = queue_.begin_of_lease(asked);
    bool look_sooner = false;
    std::size_t held = 0;
    for (auto* job : jobs) {
        look_sooner |= table_.renewed(*job, since, job->job.lease_time);
        held += job->lost ? 0 : 1;
    }
    if (look_sooner)
        look_again();
    if (held != 0)
        life_.emit({.kind = event_kind::leases_renewed, .queue = queue_.name(), .count = held});
}

/// A job whose handler has ended meanwhile was kept until now, since it is acknowledged with the token that holds.
void lease_keeper::renewal_ended(running_job& job)
{
    if (job.must_renew) // again, since the call was sent
        renew_timer_.cancel();
    if (job.has_ended && (job.lost || !job.job.in_doubt))
        queue_.lease_known(job);
    has_renewed_.notify();
}

/// Ends handlers before their lease can have ended at the server, whether or not Redis can be reached.
asio::awaitable<void> lease_keeper::guard_loop()
{
    for (;;) {
        guard_timer_.expires_after(table_.tick());
        co_await wait_or_cancelled(guard_timer_);
        handlers_.look_at_executor(queue_);
        if (clock::now() - guard_timer_.expiry() > table_.tick())
            co_await renew_what_ends();
        for (auto* lease : table_.ending(clock::now()))
            // What has ended needs no end. Its outcome is stored if the lease turns out to be held.
            if (auto& job = static_cast<running_job&>(*lease); !job.has_ended)
                give_up(job, "it could not be renewed in time");
    }
}

/// The loop stood still, so that nothing could be renewed or ended in time. Redis knows which of the leases are held still;
/// it has a moment to say so.
asio::awaitable<void> lease_keeper::renew_what_ends()
{
    constexpr std::chrono::milliseconds longest_moment{1'000};
    const auto ending = table_.ending(clock::now());
    if (ending.empty())
        co_return;
    for (auto* lease : ending)
        table_.renew_now(*lease);
    renew_timer_.cancel();
    guard_timer_.expires_after(std::min(table_.tick(), longest_moment));
    co_await wait_or_cancelled(guard_timer_);
}

/// When Redis says that jobs were taken away, they are asked for. The message alone may be about an earlier run.
asio::awaitable<void> lease_keeper::losses_loop()
{
    for (;;) {
        std::vector<std::string> ids;
        std::optional<system_error> error;
        try {
            ids = co_await queue_.source().wait_for_losses();
        } catch (const system_error& caught) {
            error = caught;
        }
        if (error)
            co_await queue_.recover_from(*error, event_kind::warning, 0);
        for (auto* lease : table_.all())
            if (auto& job = static_cast<running_job&>(*lease);
                std::find(ids.begin(), ids.end(), job.job.id()) != ids.end()) {
                job.reported_lost = true;
                table_.renew_now(job);
            }
        renew_timer_.cancel();
    }
}

/// The lease may end soon, so the handler has to end first. If the lease is held all the same when Redis can be asked,
/// because a renewal came through, the job goes back to its queue rather than be held by nobody.
void lease_keeper::give_up(running_job& job, std::string_view why)
{
    table_.give_up(job);
    tell_of_loss(life_, job, why);
    handlers_.tell_to_end(job, end_reason::lease_lost);
}

/// Redis says that the job is not this worker's any more.
void lease_keeper::lose(running_job& job, std::string_view why)
{
    if (job.lost)
        return;
    job.lost = true;
    if (!job.given_up)
        tell_of_loss(life_, job, job.reported_lost ? "Redis says that it was taken away" : why);
    const bool runs = is_running(job);
    handlers_.tell_to_end(job, end_reason::lease_lost);
    // An ended job that only waited for a renewal's answer has nothing to wait for any more.
    if (job.has_ended && !job.renewing && !runs)
        queue_.lease_known(job);
}

asio::awaitable<result<void>> lease_keeper::extend(running_job& job)
{
    const auto since = job.since;
    while (job.renewing) // somebody else has asked: the answer holds here as well
        co_await has_renewed_.wait();
    if (job.since == since && !job.is_gone()) {
        std::vector<running_job*> one{&job};
        co_await renew(std::move(one));
    }
    if (job.is_gone())
        co_return errc::lease_lost;
    co_return result<void>{};
}

} // namespace coworker::detail
