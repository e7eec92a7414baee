#include "batch_size.hpp"
#include "worker/worker_state.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

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

asio::awaitable<void> worker_state::renew_loop(queue_worker& queue)
{
    for (;;) {
        queue.renew_timer.expires_after(queue.leases.pause(clock::now()));
        co_await wait_or_cancelled(queue.renew_timer);
        std::vector<running_job*> jobs;
        for (auto* lease : queue.leases.due(clock::now()))
            jobs.push_back(static_cast<running_job*>(lease));
        if (jobs.empty())
            continue;
        try {
            co_await renew(queue, jobs);
        } catch (const system_error& error) {
            report(error, queue, event_kind::warning, jobs.size()); // the table knows when to try again
        }
    }
}

/// Renews leases, as many with one call as is good. What one call has answered is acted upon before the next one,
/// which may fail.
asio::awaitable<void> worker_state::renew(queue_worker& queue, std::vector<running_job*> jobs)
{
    for (auto* job : jobs)
        queue.leases.renewing(*job);
    std::exception_ptr error;
    std::span<running_job* const> rest{jobs};
    while (!rest.empty() && !error) {
        const auto batch =
            rest.first(batch_size(rest, [](const running_job* job) { return job->job.body.size(); }));
        error = co_await renew_batch(queue, batch);
        rest = rest.subspan(batch.size());
    }
    for (auto* job : rest) {
        queue.leases.not_renewed(*job, clock::now());
        renewal_ended(*job);
    }
    if (error)
        std::rethrow_exception(error);
}

/// One call. Returns what it threw.
asio::awaitable<std::exception_ptr> worker_state::renew_batch(queue_worker& queue,
                                                              std::span<running_job* const> jobs)
{
    const auto asked = clock::now();
    std::vector<taken_job*> leases;
    std::vector<bool> were_unsure;
    for (auto* job : jobs) {
        leases.push_back(&job->job);
        were_unsure.push_back(job->job.unsure);
    }
    std::vector<std::size_t> lost;
    std::exception_ptr error;
    bool was_refused = false;
    try {
        lost = co_await queue.source->renew(leases);
    } catch (const system_error& thrown) {
        error = std::current_exception();
        was_refused = thrown.code() != errc::unanswered && thrown.code() != asio::error::operation_aborted;
    } catch (...) {
        error = std::current_exception();
    }
    if (!error)
        leases_renewed(queue, jobs, lost, asked);
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        auto& job = *jobs[i];
        job.job.unsure = error && (!was_refused || were_unsure[i]);
        if (error)
            queue.leases.not_renewed(job, clock::now());
        renewal_ended(job);
    }
    co_return error;
}

/// What a call has answered. Only what the source says to be renewed is: the guard rests on that.
void worker_state::leases_renewed(queue_worker& queue, std::span<running_job* const> jobs,
                                  const std::vector<std::size_t>& lost, clock::time_point asked)
{
    for (const auto index : lost)
        lose(*jobs[index], "another worker or the monitor took it");
    const auto since = queue.begin_of_lease(asked);
    bool look_sooner = false;
    std::size_t held = 0;
    for (auto* job : jobs) {
        look_sooner |= queue.leases.renewed(*job, since, job->job.lease_time);
        held += job->lost ? 0 : 1;
    }
    if (look_sooner) {
        queue.renew_timer.cancel();
        queue.guard_timer.cancel();
    }
    if (held != 0)
        emit({.kind = event_kind::leases_renewed, .queue = queue.source->name(), .count = held});
}

/// A job whose handler has ended meanwhile was kept until now, since it is settled with the token that holds.
void worker_state::renewal_ended(running_job& job)
{
    auto& queue = *job.queue;
    if (job.in_doubt) // again, since the call was sent
        queue.renew_timer.cancel();
    if (job.has_ended && (job.lost || !job.job.unsure)) {
        if (!job.lost)
            dispatcher_->outcome_ready(queue.index);
        release(job);
        work_.notify();
        if (stop_requested_)
            changed_.notify();
    }
    queue.renewed.notify();
}

/// Ends handlers before their lease can have ended at the server, whether or not Redis can be reached.
asio::awaitable<void> worker_state::guard_loop(queue_worker& queue)
{
    for (;;) {
        queue.guard_timer.expires_after(queue.leases.tick());
        co_await wait_or_cancelled(queue.guard_timer);
        for (auto* lease : queue.leases.ending(clock::now()))
            // What has ended needs no end. Its outcome is stored if the lease turns out to be held.
            if (auto& job = static_cast<running_job&>(*lease); !job.has_ended)
                give_up(job, "it could not be renewed in time");
    }
}

/// When Redis says that jobs were taken away, they are asked for. The message alone may be about an earlier run.
asio::awaitable<void> worker_state::losses_loop(queue_worker& queue)
{
    for (;;) {
        std::vector<std::string> ids;
        std::optional<system_error> error;
        try {
            ids = co_await queue.source->wait_for_losses();
        } catch (const system_error& caught) {
            error = caught;
        }
        if (error)
            co_await recover_from(*error, queue, event_kind::warning, 0);
        for (auto* lease : queue.leases.all())
            if (auto& job = static_cast<running_job&>(*lease);
                std::find(ids.begin(), ids.end(), job.job.id()) != ids.end()) {
                job.reported_lost = true;
                queue.leases.doubt(job);
            }
        queue.renew_timer.cancel();
    }
}

/// The connection is a new one. While there was none, others may have taken this worker's jobs for lost; and a
/// server that has become the primary may not know what was done.
void worker_state::connected_again(const source_connection& connection)
{
    if (!works_)
        return;
    for (const auto& queue : queues_) {
        if (queue->connection.get() != &connection)
            continue;
        queue->leases.doubt_all();
        queue->renew_timer.cancel();
        dispatcher_->connected_again(queue->index);
    }
    work_.notify();
}

/// The lease may end soon, so the handler has to end first. If the lease is held all the same when Redis can be asked,
/// because a renewal came through, the job goes back to its queue rather than be held by nobody.
void worker_state::give_up(running_job& job, std::string_view why)
{
    job.queue->leases.give_up(job);
    tell_of_loss(job, why);
    tell_to_end(job, end_reason::lease_lost);
}

/// Redis says that the job is not this worker's any more.
void worker_state::lose(running_job& job, std::string_view why)
{
    if (job.lost)
        return;
    job.lost = true;
    if (!job.given_up)
        tell_of_loss(job, job.reported_lost ? "Redis says that it was taken away" : why);
    const bool runs = is_running(job);
    tell_to_end(job, end_reason::lease_lost);
    // An ended job that only waited for a renewal's answer has nothing to wait for any more.
    if (job.has_ended && !job.renewing && !runs) {
        release(job);
        work_.notify();
        changed_.notify();
    }
}

void worker_state::tell_of_loss(const running_job& job, std::string_view why) const
{
    emit({.kind = event_kind::lease_lost,
          .queue = job.queue->source->name(),
          .job_id = job.job.id(),
          .message = why,
          .attempt = job.job.attempt,
          .duration = is_running(job) ? clock::now() - job.started : std::chrono::nanoseconds{0}});
}

asio::awaitable<result<void>> worker_state::extend(running_job& job)
{
    const auto since = job.since;
    while (job.renewing) // somebody else has asked: the answer holds here as well
        co_await job.queue->renewed.wait();
    if (job.since == since && !job.lost && !job.given_up) {
        std::vector<running_job*> one{&job};
        co_await renew(*job.queue, std::move(one));
    }
    if (job.lost || job.given_up)
        co_return errc::lease_lost;
    co_return result<void>{};
}

} // namespace coworker::detail
