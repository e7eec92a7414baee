#include "worker/worker_state.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>

namespace coworker::detail {
namespace {

std::string describe(std::exception_ptr error)
{
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

/// Since when the job has been queued, by this machine's clock.
std::optional<std::chrono::milliseconds> age(const taken_job& job)
{
    const auto queued = queued_at(job.id);
    if (!queued)
        return std::nullopt;
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now() - *queued);
}

} // namespace

void worker_state::start_job(queue_worker& queue, taken_job&& taken, clock::time_point leased)
{
    auto& job = *jobs_.emplace_back(std::make_unique<running_job>(*this, queue, std::move(taken)));
    job.position = std::prev(jobs_.end());
    job.since = leased;
    queue.leases.add(job);
    if (!job.job.decodable) {
        finish(job, outcome{outcome::kind::broken, "the payload is not a JSON array of an id and a job"});
        return;
    }
    const bool wants_age = queue.options.deadline.count() > 0;
    if (auto refusal =
            refuse_to_start(job.job.attempt, wants_age ? age(job.job) : std::nullopt, queue.options)) {
        finish(job, std::move(*refusal));
        return;
    }
    run_handler(job);
}

void worker_state::run_handler(running_job& job)
{
    auto& queue = *job.queue;
    job.started = clock::now();
    emit({.kind = event_kind::started,
          .queue = queue.source->name(),
          .job_id = job.job.id,
          .attempt = job.job.attempt});
    apply_limits(job);
    try {
        auto answer = queue.handler(job.job.text(), job.context);
        if (auto* at_once = std::get_if<outcome>(&answer)) {
            handler_ended(job, {std::move(*at_once), {}});
            return;
        }
        asio::co_spawn(get_executor(), std::move(std::get<asio::awaitable<outcome>>(answer)),
                       asio::bind_cancellation_slot(
                           job.handler_signal.slot(),
                           [self = shared_from_this(), &job](std::exception_ptr error, outcome result) {
                               if (error)
                                   self->handler_ended(job, {std::nullopt, describe(error)});
                               else
                                   self->handler_ended(job, {std::move(result), {}});
                           }));
    } catch (...) {
        handler_ended(job, {std::nullopt, describe(std::current_exception())});
    }
}

/// The queue's time limit and deadline.
void worker_state::apply_limits(running_job& job)
{
    const auto& options = job.queue->options;
    auto when = clock::time_point::max();
    auto why = end_reason::none;
    if (options.time_limit.count() > 0) {
        when = job.started + options.time_limit;
        why = end_reason::time_limit;
    }
    if (options.deadline.count() > 0)
        if (const auto old = age(job.job); old && job.started + (options.deadline - *old) < when) {
            when = job.started + (options.deadline - *old);
            why = end_reason::deadline;
        }
    if (why != end_reason::none)
        limit_run(job, when, why);
}

void worker_state::limit_run(running_job& job, clock::time_point when, end_reason why)
{
    job.limit_reason = why;
    if (!job.limit)
        job.limit.emplace(get_executor());
    job.limit->expires_at(when);
    job.limit_token.reset();
    if (when == clock::time_point::max())
        return;
    // A timer that has just expired can no longer be cancelled, so the job may be gone by then.
    job.limit_token = std::make_shared<char>();
    job.limit->async_wait(
        [self = shared_from_this(), &job, alive = std::weak_ptr{job.limit_token}](error_code ec) {
            if (!ec && !alive.expired())
                self->tell_to_end(job, job.limit_reason);
        });
}

void worker_state::tell_to_end(running_job& job, end_reason why)
{
    if (job.has_ended || job.told_to_end != end_reason::none)
        return;
    job.told_to_end = why;
    job.context_signal.emit(asio::cancellation_type::terminal);
    job.handler_signal.emit(asio::cancellation_type::terminal);
}

void worker_state::handler_ended(running_job& job, handler_end end)
{
    finish(job, conclude(end, job.told_to_end, job.job.attempt, job.queue->options));
}

/// The job has its outcome: it is stored with the next batch, or dropped when the lease is gone.
void worker_state::finish(running_job& job, outcome result)
{
    job.has_ended = true;
    job.limit_token.reset();
    job.limit.reset();
    job.result.emplace(std::move(result));
    if (!job.lost)
        emit_end(job);
    // Settled with the token that holds when the renewal under way has been answered.
    const bool waits_for_renewal = job.renewing || (job.job.unsure && !job.lost);
    dispatcher_->job_ended(job.queue->index, !job.lost && !waits_for_renewal);
    if (!waits_for_renewal)
        release(job);
    work_.notify();
    if (stop_requested_)
        changed_.notify();
}

/// Takes a job that has ended out of the list of those held; to be settled, unless it was lost.
void worker_state::release(running_job& job)
{
    auto& queue = *job.queue;
    queue.leases.remove(job);
    auto owned = std::move(*job.position);
    jobs_.erase(owned->position);
    if (!owned->lost)
        queue.to_settle.push_back(std::move(owned));
}

void worker_state::emit_end(const running_job& job) const
{
    if (options_.observers.empty())
        return;
    const auto kind = [&] {
        switch (job.result->what()) {
        case outcome::kind::success:
            return event_kind::succeeded;
        case outcome::kind::retry:
            return event_kind::retried;
        case outcome::kind::failure:
            return event_kind::failed;
        case outcome::kind::broken:
            return event_kind::broken;
        case outcome::kind::give_back:
            return event_kind::given_back;
        }
        return event_kind::failed;
    }();
    const bool was_started = job.started != clock::time_point{};
    emit({.kind = kind,
          .queue = job.queue->source->name(),
          .job_id = job.job.id,
          .message = job.result->reason(),
          .attempt = job.job.attempt,
          .duration = was_started ? clock::now() - job.started : std::chrono::nanoseconds{0},
          .delay = job.result->delay().value_or(std::chrono::milliseconds{0})});
}

} // namespace coworker::detail

namespace coworker {

const std::string& job_context::queue() const noexcept
{
    return job_->queue->source->name();
}

const std::string& job_context::id() const noexcept
{
    return job_->job.id;
}

unsigned job_context::attempt() const noexcept
{
    return job_->job.attempt;
}

std::optional<timestamp> job_context::queued_at() const
{
    return coworker::queued_at(job_->job.id);
}

const std::string& job_context::lease_token() const noexcept
{
    return job_->job.lease;
}

bool job_context::cancelled() const noexcept
{
    return job_->told_to_end != detail::end_reason::none;
}

asio::cancellation_slot job_context::cancellation_slot() noexcept
{
    return job_->context_signal.slot();
}

asio::awaitable<result<void>> job_context::extend()
{
    return job_->worker->extend(*job_);
}

void job_context::expires_after(std::chrono::milliseconds limit)
{
    using clock = detail::running_job::clock;
    job_->worker->limit_run(*job_, limit.count() > 0 ? clock::now() + limit : clock::time_point::max(),
                            detail::end_reason::time_limit);
}

} // namespace coworker
