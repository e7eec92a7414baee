#include "worker/worker_state.hpp"

#include "limits.hpp"
#include "worker/watch_leases.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

namespace coworker::detail {

asio::awaitable<void> worker_state::pump()
{
    for (;;) {
        if (reconciling_ == 0)
            let_go(lost_);
        if (const auto step = dispatcher_->next(clock::now())) {
            if (step->reconcile)
                co_await reconcile(*step);
            else
                co_await carry_out(*step);
            if (stop_requested_) // which may be all that `drain` has waited for
                changed_.notify();
        } else {
            co_await work_.wait();
        }
    }
}

/// How many of the `most` outcomes that are next to be stored go into one call. Each names its job by all its bytes.
std::size_t worker_state::outcomes_that_fit(const queue_worker& queue, std::size_t most, bool backwards)
{
    const auto& all = queue.to_settle;
    std::size_t fitting = 0, bytes = 0;
    for (auto job = backwards ? all.end() : all.begin(); fitting != most; ++fitting) {
        const auto& next = backwards ? *--job : *job++;
        bytes += next.job.body.size() + next.result.reason().size();
        if (fitting != 0 && bytes > max_batch_bytes)
            break;
    }
    return fitting;
}

asio::awaitable<void> worker_state::carry_out(dispatcher::step step)
{
    auto& queue = *queues_[step.queue];
    std::list<running_job> batch;
    // When the worker stops, the last go first: each job given back goes in front of those before it.
    const bool backwards = stop_requested_;
    if (const auto fitting = outcomes_that_fit(queue, step.settle, backwards); fitting != step.settle) {
        dispatcher_->settle_fewer(step, fitting);
        work_.notify();
    }
    const auto count = static_cast<std::ptrdiff_t>(step.settle);
    if (backwards)
        batch.splice(batch.end(), queue.to_settle, std::prev(queue.to_settle.end(), count),
                     queue.to_settle.end());
    else
        batch.splice(batch.end(), queue.to_settle, queue.to_settle.begin(),
                     std::next(queue.to_settle.begin(), count));
    std::vector<settlement> settlements;
    settlements.reserve(step.settle);
    for (const auto& job : batch)
        settlements.push_back({&job.job, &job.result, job.repeated});
    const auto asked = clock::now();
    job_source::exchange_result result;
    std::exception_ptr error;
    try {
        result = co_await queue.source->exchange(settlements, step.take);
    } catch (...) {
        error = std::current_exception();
    }
    if (error) {
        // Nothing is known: the outcomes are kept, and sent again.
        for (auto& job : batch)
            job.repeated = true;
        queue.to_settle.splice(backwards ? queue.to_settle.end() : queue.to_settle.begin(), batch);
        step_failed(step, error);
        co_return;
    }
    const auto taken = result.taken.size();
    dispatcher_->ended(step, taken);
    settled(queue, std::move(batch), result.lost);
    if (taken != 0)
        emit({.kind = event_kind::taken, .queue = queue.source->name(), .count = taken});
    if (taken != step.take)
        queue.found_empty.notify();
    const auto leased = queue.begin_of_lease(asked);
    for (auto& job : result.taken)
        add_job(queue, std::move(job), leased);
    start_handlers();
    work_.notify(); // another queue's turn may have come
}

/// The dispatcher's books, after a step that threw. Only the step's own queue rests: the others go on.
void worker_state::step_failed(const dispatcher::step& step, const std::exception_ptr& error)
{
    auto& queue = *queues_[step.queue];
    try {
        std::rethrow_exception(error);
    } catch (const system_error& refusal) {
        if (refusal.code() == errc::unanswered || refusal.code() == errc::unexpected_answer ||
            refusal.code() == asio::error::operation_aborted)
            dispatcher_->unanswered(step);
        else
            let_rest(step, clock::now() + refusal_pause);
        report(refusal, queue, step.settle != 0 ? event_kind::settle_failed : event_kind::take_failed,
               step.settle);
    } catch (...) { // nobody knows what this means
        dispatcher_->refused(step, clock::time_point::max());
        die(error);
    }
}

void worker_state::let_rest(const dispatcher::step& step, clock::time_point until)
{
    dispatcher_->refused(step, until);
    auto& timer = queues_[step.queue]->rest_timer;
    timer.expires_at(until);
    timer.async_wait([self = shared_from_this()](error_code ec) {
        if (!ec)
            self->work_.notify();
    });
}

/// Tells of a call that has failed, unless only the connection was lost. Throws what ends the caller.
void worker_state::report(const system_error& error, queue_worker& queue, event_kind kind, std::size_t count)
{
    if (error.code() == asio::error::operation_aborted)
        throw error;
    if (error.code() == errc::stopped) {
        die(std::make_exception_ptr(error));
        throw error;
    }
    if (error.code() != errc::unanswered)
        emit({.kind = kind, .queue = queue.source->name(), .message = error.what(), .count = count});
}

/// The same for a loop that works for one queue only: waits a little before it goes on. After a lost connection
/// that is not necessary, as the next call waits for the next one.
asio::awaitable<void> worker_state::recover_from(const system_error& error, queue_worker& queue,
                                                 event_kind kind, std::size_t count)
{
    report(error, queue, kind, count);
    if (error.code() == errc::unanswered)
        co_return;
    asio::steady_timer pause{get_executor(), refusal_pause};
    co_await pause.async_wait(asio::use_awaitable);
}

asio::awaitable<void> worker_state::reconcile(dispatcher::step step)
{
    auto& queue = *queues_[step.queue];
    std::exception_ptr error;
    std::vector<const taken_job*> held;
    ++reconciling_;
    try {
        while (queue.leases.any_in_doubt()) // their tokens may not be those that the server has
            co_await queue.renewed.wait();
        for (const auto& job : jobs_)
            if (job.queue == &queue)
                held.push_back(&job.job);
        for (const auto& job : queue.to_settle)
            held.push_back(&job.job);
        co_await queue.source->reconcile(held);
    } catch (...) {
        error = std::current_exception();
    }
    --reconciling_;
    if (error) {
        step_failed(step, error);
        co_return;
    }
    dispatcher_->reconciled(step);
    work_.notify();
}

void worker_state::settled(queue_worker& queue, std::list<running_job> batch,
                           const std::vector<std::size_t>& lost)
{
    for (const auto index : lost) {
        const auto& job = *std::next(batch.begin(), static_cast<std::ptrdiff_t>(index));
        // If repeated, it was this worker's own first settlement that ended the lease. What was given up was told of.
        if (!job.repeated && !job.given_up)
            emit({.kind = event_kind::lease_lost,
                  .queue = queue.source->name(),
                  .job_id = job.job.id(),
                  .message = "the job is no longer this worker's; its outcome was dropped"});
    }
    let_go(batch);
}

asio::awaitable<void> worker_state::wait_loop(queue_worker& queue)
{
    for (;;) {
        while (!dispatcher_->is_empty(queue.index))
            co_await queue.found_empty.wait();
        std::optional<system_error> error;
        try {
            if (co_await queue.source->wait_for_jobs() == job_source::wake_up::safety_poll)
                emit({.kind = event_kind::safety_poll_found_work, .queue = queue.source->name()});
            dispatcher_->jobs_ready(queue.index);
            work_.notify();
        } catch (const system_error& caught) {
            error = caught;
        }
        if (error)
            co_await recover_from(*error, queue, event_kind::take_failed, 0);
    }
}

} // namespace coworker::detail
