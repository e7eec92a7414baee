// SPDX-License-Identifier: MIT
#include "worker/handler_pool/handler_pool.hpp"

#include "worker/handler_pool/outside_run.hpp"
#include "worker/job_events.hpp"
#include "worker/queue_runner.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <utility>

namespace coworker::detail {
namespace {

using namespace std::chrono_literals;

/// Handlers that do not wait run one after the other for about this long; then everything else has its turn.
constexpr auto turn_length = 5ms;

} // namespace

void handler_pool::start()
{
    if (turn_is_over_)
        return;
    if (life_.stops())
        for (auto& waiting : held_back_) {
            ready_.insert(ready_.end(), waiting.begin(), waiting.end());
            waiting.clear();
        }
    now_ = clock::now();
    turn_ends_ = now_ + turn_length;
    make_runners();
    if (!ready_.empty() || any_held_back())
        look_later();
}

/// A runner goes from one job to the next until one has to wait; then another runner takes over.
void handler_pool::make_runners()
{
    while (!one_begins_ && is_next_ready() && !turn_is_over_) {
        one_begins_ = true;
        const auto runner = runners_.emplace(runners_.end());
        asio::co_spawn(
            life_.get_executor(), run_handlers(*runner),
            asio::bind_cancellation_slot(runner->signal.slot(),
                                         [self = life_.keep(), this, runner](std::exception_ptr error) {
                                             if (error)
                                                 runner_failed(*runner, error);
                                             runners_.erase(runner);
                                             if (life_.failure()) // which may be all that a stop waits for
                                                 life_.has_changed();
                                         }));
        begin_late_ = begin_late_ || one_begins_;
    }
}

void handler_pool::look_at_executor(queue_runner& queue)
{
    if (!queue.handler_executor() || !has_stopped(queue.handler_executor()))
        return;
    for (auto& job : jobs_)
        if (job.queue == &queue && job.outside && job.runner != nullptr) {
            job.runner = nullptr;
            give_up_outside(*job.outside);
        }
    life_.die(std::make_exception_ptr(
        explained_error{errc::stopped, "the executor on which handlers of the queue '" + queue.name() +
                                           "' run has stopped; keep its context running until the worker "
                                           "has ended"}));
}

/// Its job stays without an outcome, and runs again when its lease ends.
void handler_pool::runner_failed(const handler_runner& runner, std::exception_ptr error)
{
    for (auto& job : jobs_)
        if (job.runner == &runner)
            job.runner = nullptr;
    life_.die(error);
}

/// Lets everything else on the executor have its turn, and then goes on with the jobs that are ready.
void handler_pool::yield_turn()
{
    turn_is_over_ = true;
    asio::post(life_.get_executor(), [self = life_.keep(), this] {
        turn_is_over_ = false;
        try {
            start();
        } catch (...) {
            life_.die(std::current_exception());
        }
    });
}

/// Whether the first of the jobs that are ready can be dealt with. Those whose queue has no place are put aside.
bool handler_pool::is_next_ready()
{
    while (!ready_.empty()) {
        auto& job = *ready_.front();
        if (life_.stops() || job.is_gone()) // its handler is not called
            return true;
        if (!dispatcher_.has_place())
            return false;
        const auto group = dispatcher_.group_of(job.queue->index());
        if (dispatcher_.has_place(group))
            return true;
        held_back_.resize(std::max(held_back_.size(), group + 1));
        held_back_[group].push_back(&job);
        ready_.pop_front();
    }
    return false;
}

/// Whether the job's handler may be called. If not, the job has its outcome, or is lost.
bool handler_pool::may_start(running_job& job, clock::time_point now)
{
    if (!job.is_gone() && job.queue->leases().is_ending(job, now))
        job.queue->leases().give_up(job, "it was about to end before the handler was called");
    look_at_executor(*job.queue);
    if (job.is_gone() || life_.stops()) {
        finish(job, release());
        return false;
    }
    return true;
}

asio::awaitable<void> handler_pool::run_handlers(handler_runner& runner)
{
    one_begins_ = false;
    bool has_awaited = false;
    while (is_next_ready() && !turn_is_over_) {
        if (now_ >= turn_ends_ && !life_.stops()) {
            yield_turn();
            break;
        }
        auto& job = *ready_.front();
        ready_.pop_front();
        if (!may_start(job, now_))
            continue;
        begin_run(job, now_);
        const bool is_outside = static_cast<bool>(job.queue->handler_executor());
        auto coroutine = is_outside ? std::nullopt : call_handler(job);
        if (!coroutine && !is_outside)
            continue;
        // A handler may have changed these, and they are the same for all that one runner awaits.
        if (std::exchange(has_awaited, true)) {
            co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
            co_await asio::this_coro::throw_if_cancelled(true);
        }
        job.runner = &runner;
        if (begin_late_) // nobody else has the next one take over
            make_runners();
        handler_end end;
        try {
            if (is_outside) {
                auto ended = co_await run_outside(job);
                if (!ended) // the job stays without an outcome
                    break;
                end = std::move(*ended);
            } else {
                end.result = co_await std::move(*coroutine);
            }
        } catch (...) {
            end = describe(std::current_exception());
        }
        const bool was_cancelled = job.told_to_end != end_reason::none;
        handler_ended(job, std::move(end));
        if (was_cancelled) // and so is this coroutine
            break;
    }
    if (is_next_ready())
        start();
}

/// What comes before the user's function is called.
void handler_pool::begin_run(running_job& job, clock::time_point now)
{
    job.started = now;
    dispatcher_.handler_started(job.queue->index(), now);
    tell_of_start(life_, job);
    apply_limits(job);
}

/// Calls the user's function. What it answers at once is dealt with; a coroutine is returned.
std::optional<asio::awaitable<outcome>> handler_pool::call_handler(running_job& job)
{
    handler_end end;
    try {
        auto answer = job.queue->handler()(job.job.text(), job.context);
        if (auto* coroutine = std::get_if<asio::awaitable<outcome>>(&answer))
            return std::move(*coroutine);
        end.result = std::get<outcome>(std::move(answer));
    } catch (...) {
        end = describe(std::current_exception());
    }
    handler_ended(job, std::move(end));
    return std::nullopt;
}

/// The job's or the queue's timeout, and its expiry.
void handler_pool::apply_limits(running_job& job)
{
    const auto& options = job.queue->options();
    auto when = clock::time_point::max();
    auto why = end_reason::none;
    const auto own = job.job.details ? job.job.details->own_timeout() : std::nullopt;
    if (const auto timeout = own.value_or(options.timeout); timeout.count() > 0) {
        when = job.started + option_duration{timeout};
        why = end_reason::timeout;
    }
    if (options.expiry.count() > 0)
        if (const auto old = age_of(job.job)) {
            const auto end = job.started + option_duration{options.expiry - *old};
            if (end < when) {
                when = end;
                why = end_reason::expiry;
            }
        }
    if (why != end_reason::none)
        limit_run(job, when, why);
}

void handler_pool::limit_run(running_job& job, clock::time_point when, end_reason why)
{
    job.limit_reason = why;
    if (!job.limit)
        job.limit.emplace(life_.get_executor());
    job.limit->expires_at(when);
    job.limit_token.reset();
    if (when == clock::time_point::max())
        return;
    // A timer that has just expired can no longer be cancelled, so the job may be gone by then.
    job.limit_token = std::make_shared<char>();
    job.limit->async_wait(
        [self = life_.keep(), this, &job, alive = std::weak_ptr{job.limit_token}](error_code ec) {
            if (!ec && !alive.expired())
                tell_to_end(job, job.limit_reason);
        });
}

void handler_pool::tell_to_end(running_job& job, end_reason why)
{
    if (job.has_ended || job.told_to_end != end_reason::none)
        return;
    job.told_to_end = why;
    if (job.outside) {
        cancel_outside(job.outside);
        return;
    }
    if (job.context_signal)
        job.context_signal->emit(asio::cancellation_type::terminal);
    if (job.runner != nullptr)
        job.runner->signal.emit(asio::cancellation_type::terminal);
}

void handler_pool::tell_all_to_end(end_reason why)
{
    // Ending a handler may remove its job from the list.
    for (auto job = jobs_.begin(); job != jobs_.end();)
        tell_to_end(*job++, why);
}

void handler_pool::end_gathering()
{
    for (auto job = jobs_.begin(); job != jobs_.end();)
        if (auto& each = *job++; each.gathers)
            tell_to_end(each, end_reason::worker_stops);
}

/// By the queue's rules, or the job's own where it has any.
outcome handler_pool::conclude_job(const running_job& job, const handler_end& end)
{
    const auto& options = job.queue->options();
    const auto attempt = job.job.attempt;
    const auto* const details = job.job.details.get();
    const auto wait = details != nullptr ? details->own_backoff(attempt) : std::nullopt;
    const auto kept = details != nullptr ? details->own_result_retention() : std::nullopt;
    if (!wait && !kept)
        return conclude(end, job.told_to_end, attempt, options);
    auto own_options = options;
    if (wait)
        own_options.backoff = [own = *wait](unsigned) { return own; };
    own_options.result_retention = kept.value_or(own_options.result_retention);
    return conclude(end, job.told_to_end, attempt, own_options);
}

void handler_pool::handler_ended(running_job& job, handler_end end)
{
    const auto queue = job.queue->index();
    const auto group = dispatcher_.group_of(queue);
    now_ = clock::now();
    dispatcher_.handler_ended(queue, job.started, now_);
    if (group < held_back_.size() && !held_back_[group].empty()) { // there is a place for one of them
        ready_.push_front(held_back_[group].front());
        held_back_[group].pop_front();
    }
    if (end.result)
        end.result = check_answer(std::move(*end.result), job.queue->source().can());
    finish(job, conclude_job(job, end));
}

/// What follows, with regard to the lease, is the queue's.
void handler_pool::finish(running_job& job, outcome result)
{
    job.has_ended = true;
    if (life_.is_observed())
        job.ended = clock::now();
    job.limit_token.reset();
    job.limit.reset();
    job.runner = nullptr;
    // What was given up was ended through no fault of its own.
    job.result = job.given_up ? release() : std::move(result);
    const auto what = job.result.what();
    if (job.effects &&
        (job.effects->empty() || (what != outcome::kind::success && what != outcome::kind::forward)))
        job.effects.reset();
    if (!job.is_gone() && !job.effects) // what comes of effects is known later
        tell_of_end(life_, job);
    job.queue->job_ended(job);
}

} // namespace coworker::detail
