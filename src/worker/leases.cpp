#include "worker/worker_state.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>

namespace coworker::detail {
namespace {

using namespace std::chrono_literals;

/// A renewal that was not answered is repeated soon: until it is, the token is uncertain.
constexpr auto repeat_pause = 50ms;

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

bool worker_state::has_unsure(const queue_worker& queue) const
{
    const auto& all = queue.leases.all();
    return std::any_of(all.begin(), all.end(), [](const held_lease* lease) {
        return static_cast<const running_job*>(lease)->job.unsure;
    });
}

asio::awaitable<void> worker_state::renew_loop(queue_worker& queue)
{
    for (;;) {
        queue.renew_timer.expires_after(has_unsure(queue) ? repeat_pause : queue.leases.tick());
        co_await wait_or_cancelled(queue.renew_timer);
        std::vector<running_job*> jobs;
        for (auto* lease : queue.leases.all()) {
            auto* job = static_cast<running_job*>(lease);
            if (job->job.unsure && !job->renewing && !job->lost)
                jobs.push_back(job);
        }
        for (auto* lease : queue.leases.due(clock::now())) {
            auto* job = static_cast<running_job*>(lease);
            if (!job->job.unsure)
                jobs.push_back(job);
        }
        if (jobs.empty())
            continue;
        std::optional<system_error> error;
        try {
            co_await renew(queue, jobs);
        } catch (const system_error& caught) {
            error = caught;
        }
        if (error)
            co_await recover_from(*error, queue, event_kind::warning, jobs.size());
    }
}

/// Renews leases. Jobs whose handlers end meanwhile are kept until the answer is here, since they are settled
/// with the token that holds then.
asio::awaitable<void> worker_state::renew(queue_worker& queue, std::vector<running_job*> jobs)
{
    const auto since = clock::now();
    std::vector<taken_job*> leases;
    for (auto* job : jobs) {
        job->renewing = true;
        leases.push_back(&job->job);
    }
    std::vector<std::size_t> lost;
    std::exception_ptr error;
    try {
        lost = co_await queue.source->renew(leases);
    } catch (...) {
        error = std::current_exception();
    }
    for (const auto index : lost)
        lose(*jobs[index], "another worker or the monitor took it");
    for (auto* job : jobs) {
        job->renewing = false;
        if (!job->job.unsure && !job->lost && queue.leases.renewed(*job, since, job->job.lease_time)) {
            queue.renew_timer.cancel();
            queue.guard_timer.cancel();
        }
        if (!job->has_ended || (job->job.unsure && !job->lost))
            continue;
        if (!job->lost)
            dispatcher_->outcome_ready(queue.index);
        release(*job);
    }
    work_.notify();
    if (stop_requested_)
        changed_.notify();
    if (error)
        std::rethrow_exception(error);
    emit({.kind = event_kind::leases_renewed,
          .queue = queue.source->name(),
          .count = jobs.size() - lost.size()});
}

/// Ends handlers before their lease can have ended at the server, whether or not Redis can be reached.
asio::awaitable<void> worker_state::guard_loop(queue_worker& queue)
{
    for (;;) {
        queue.guard_timer.expires_after(queue.leases.tick());
        co_await wait_or_cancelled(queue.guard_timer);
        for (auto* lease : queue.leases.ending(clock::now())) {
            auto& job = static_cast<running_job&>(*lease);
            lose(job, "it could not be renewed in time");
        }
    }
}

/// Ends handlers whose job was taken away, as soon as Redis says so.
asio::awaitable<void> worker_state::losses_loop(queue_worker& queue)
{
    for (;;) {
        const auto ids = co_await queue.source->wait_for_losses();
        for (const auto& id : ids)
            for (auto* lease : queue.leases.all())
                if (auto& job = static_cast<running_job&>(*lease); job.job.id() == id) {
                    lose(job, "Redis says that it was taken away");
                    break;
                }
    }
}

void worker_state::lose(running_job& job, std::string_view why)
{
    if (job.lost)
        return;
    job.lost = true;
    const bool runs = !job.has_ended && job.started != clock::time_point{};
    emit({.kind = event_kind::lease_lost,
          .queue = job.queue->source->name(),
          .job_id = job.job.id(),
          .message = why,
          .attempt = job.job.attempt,
          .duration = runs ? clock::now() - job.started : std::chrono::nanoseconds{0}});
    tell_to_end(job, end_reason::lease_lost);
    // An ended job that only waited for a renewal's answer has nothing to wait for any more.
    if (job.has_ended && !job.renewing && !runs) {
        release(job);
        work_.notify();
        changed_.notify();
    }
}

asio::awaitable<result<void>> worker_state::extend(running_job& job)
{
    if (job.lost)
        co_return errc::lease_lost;
    if (job.renewing) // under way already
        co_return result<void>{};
    std::vector<running_job*> one{&job};
    co_await renew(*job.queue, std::move(one));
    if (job.lost)
        co_return errc::lease_lost;
    co_return result<void>{};
}

} // namespace coworker::detail
