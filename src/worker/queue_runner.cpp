// SPDX-License-Identifier: MIT
#include "worker/queue_runner.hpp"

#include "bounds.hpp"
#include "worker/job_events.hpp"
#include "worker/monitor_loops.hpp"
#include "worker/source_failure.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace coworker::detail {
namespace {

/// Whether a source that could not be opened is to be opened again: it is only its server that does not answer.
bool may_open_later(const error_code& code)
{
    return code == errc::timed_out || code == errc::unavailable ||
           judge_failure(code, asio::cancellation_type::none) == source_failure::in_doubt;
}

} // namespace

queue_runner::queue_runner(worker_life& life, dispatcher& dispatch, handler_pool& handlers, std::size_t index,
                           std::unique_ptr<job_source> source, job_handler handler,
                           asio::any_io_executor handler_executor, handle_options options)
    : life_{life}, dispatcher_{dispatch}, handlers_{handlers}, index_{index}, source_{std::move(source)},
      connection_{source_->connection()}, handler_{std::move(handler)},
      handler_executor_{std::move(handler_executor)}, options_{std::move(options)}, leases_{life, handlers,
                                                                                            *this},
      notes_{*this}, found_empty_{life.get_executor()}, rest_timer_{life.get_executor()}
{}

// --- life ----------------------------------------------------------------------------

asio::awaitable<void> queue_runner::open()
{
    if (handler_executor_)
        handlers_work_ = asio::prefer(handler_executor_, asio::execution::outstanding_work.tracked);
    while (!is_open_) {
        std::optional<system_error> error;
        try {
            co_await source_->open();
            is_open_ = true;
        } catch (const system_error& caught) {
            if (!may_open_later(caught.code()))
                throw;
            error = caught;
        }
        if (error)
            co_await recover_from(*error, event_kind::warning, 0);
    }
    leases_.lease_time(source_->lease_time(options_.lease));
}

/// While there was no connection, others may have taken this worker's jobs for lost; and a server that has become the
/// primary may not know what was done.
void queue_runner::connected_again()
{
    leases_.renew_all_now();
    dispatcher_.connected_again(index_);
}

asio::awaitable<void> queue_runner::wait_loop()
{
    for (;;) {
        while (!dispatcher_.is_empty(index_))
            co_await found_empty_.wait();
        std::optional<system_error> error;
        try {
            if (co_await source_->wait_for_jobs() == job_source::wake_up::fallback_poll)
                life_.emit({.kind = event_kind::fallback_poll_found_work, .queue = name()});
            dispatcher_.jobs_ready(index_);
            life_.there_is_work();
        } catch (const system_error& caught) {
            error = caught;
        }
        if (error)
            co_await recover_from(*error, event_kind::fetch_failed, 0);
    }
}

asio::awaitable<void> queue_runner::close()
{
    try {
        co_await source_->close();
    } catch (const system_error& error) {
        const auto* const why = error.code() == asio::error::operation_aborted
                                    ? "there was no time left to sign off"
                                    : error.what();
        life_.emit({.kind = event_kind::warning, .queue = name(), .message = why});
    } catch (...) {
        life_.die(std::current_exception());
    }
    is_closed_ = true;
    life_.has_changed();
}

// --- steps ---------------------------------------------------------------------------

asio::awaitable<void> queue_runner::carry_out(dispatcher::step step)
{
    return step.reconcile ? reconcile(step) : ack_and_fetch(step);
}

asio::awaitable<void> queue_runner::ack_and_fetch(dispatcher::step step)
{
    const bool backwards = life_.stops();
    if (const auto fitting = outbox_.fitting(step.acknowledge, backwards); fitting != step.acknowledge) {
        dispatcher_.acknowledge_fewer(step, fitting);
        life_.there_is_work();
    }
    auto batch = outbox_.take(step.acknowledge, backwards);
    std::vector<acknowledgement> acknowledgements;
    acknowledgements.reserve(step.acknowledge);
    for (const auto& job : batch)
        acknowledgements.push_back({&job.job, &job.result, job.repeated, job.effects.get()});
    const auto asked = clock::now();
    job_source::fetch_result result;
    std::exception_ptr error;
    try {
        result = co_await source_->ack_and_fetch(acknowledgements, step.take);
    } catch (...) {
        error = std::current_exception();
    }
    if (error) {
        outbox_.put_back(batch, backwards);
        co_await step_failed(step, error);
        co_return;
    }
    const auto taken = result.fetched.size();
    const auto now = clock::now();
    dispatcher_.ended(step, taken, result.waiting);
    std::size_t bytes = 0;
    for (const auto& job : result.fetched)
        bytes += job.body.size();
    dispatcher_.pace_of(index_).fetched(now - asked, taken, bytes);
    acknowledged(std::move(batch), result);
    if (taken != 0)
        life_.emit({.kind = event_kind::fetched, .queue = name(), .count = taken});
    tell_of_unhandled(result.unhandled);
    if (taken != step.take)
        found_empty_.notify();
    const auto leased = begin_of_lease(asked);
    for (auto& job : result.fetched)
        add_job(std::move(job), leased, now);
    handlers_.start();
    life_.there_is_work(); // another queue's turn may have come
}

/// What the dispatcher is told after a step that threw. Only the step's own queue rests: the others go on.
asio::awaitable<void> queue_runner::step_failed(const dispatcher::step& step, std::exception_ptr error)
{
    const auto state = co_await asio::this_coro::cancellation_state;
    std::optional<system_error> thrown;
    try {
        std::rethrow_exception(error);
    } catch (const system_error& caught) {
        thrown = caught;
    } catch (...) { // nobody knows what this means
    }
    if (!thrown) {
        dispatcher_.refused(step, clock::time_point::max());
        life_.die(error);
        co_return;
    }
    const auto what = judge_failure(thrown->code(), state.cancelled());
    if (what == source_failure::refused)
        let_rest(step, clock::now() + refusal_pause);
    if (what == source_failure::ended || what == source_failure::cancelled)
        dispatcher_.in_doubt(step); // which matters to nobody any more
    report(*thrown, state.cancelled(),
           step.acknowledge != 0 ? event_kind::ack_failed : event_kind::fetch_failed, step.acknowledge);
    if (what != source_failure::in_doubt)
        co_return;
    co_await pause_after(thrown->code());
    dispatcher_.in_doubt(step);
    life_.there_is_work();
}

void queue_runner::let_rest(const dispatcher::step& step, clock::time_point until)
{
    dispatcher_.refused(step, until);
    rest_timer_.expires_at(until);
    rest_timer_.async_wait([self = life_.keep(), this](error_code ec) {
        if (!ec)
            life_.there_is_work();
    });
}

void queue_runner::report(const system_error& error, asio::cancellation_type cancelled, event_kind kind,
                          std::size_t count)
{
    switch (judge_failure(error.code(), cancelled)) {
    case source_failure::cancelled:
        throw system_error{asio::error::operation_aborted};
    case source_failure::ended:
        life_.die(std::make_exception_ptr(error));
        throw error;
    case source_failure::in_doubt:
    case source_failure::refused:
        if (!waits_by_itself(error.code()))
            life_.emit({.kind = kind, .queue = name(), .message = error.what(), .count = count});
    }
}

asio::awaitable<void> queue_runner::recover_from(const system_error& error, event_kind kind,
                                                 std::size_t count)
{
    const auto state = co_await asio::this_coro::cancellation_state;
    report(error, state.cancelled(), kind, count);
    co_await pause_after(error.code());
}

asio::awaitable<void> queue_runner::pause_after(const error_code& code) const
{
    if (waits_by_itself(code))
        co_return;
    asio::steady_timer pause{life_.get_executor(), refusal_pause};
    co_await pause.async_wait(asio::use_awaitable);
}

asio::awaitable<void> queue_runner::reconcile(dispatcher::step step)
{
    std::exception_ptr error;
    std::vector<const fetched_job*> held;
    handlers_.jobs().begin_look();
    try {
        co_await leases_.be_certain(); // tokens in doubt may not be those that the server has
        for (const auto& job : handlers_.jobs())
            if (job.queue == this)
                held.push_back(&job.job);
        for (const auto& job : outbox_.jobs())
            held.push_back(&job.job);
        co_await source_->reconcile(held);
    } catch (...) {
        error = std::current_exception();
    }
    handlers_.jobs().end_look();
    if (error) {
        co_await step_failed(step, error);
        co_return;
    }
    dispatcher_.reconciled(step);
    life_.there_is_work();
}

void queue_runner::acknowledged(std::list<running_job> batch, const job_source::fetch_result& result)
{
    for (const auto index : result.lost) {
        auto& job = *std::next(batch.begin(), static_cast<std::ptrdiff_t>(index));
        // If repeated, it was this worker's own first acknowledgement that ended the lease, or a loss before that. What
        // was given up was told of.
        if (job.repeated) {
            if (std::exchange(job.effects, nullptr) && !job.given_up)
                tell_of_doubt(life_, job);
            continue;
        }
        job.lost = true;
        if (!job.given_up)
            life_.emit({.kind = event_kind::lease_lost,
                        .queue = name(),
                        .job_id = job.job.id(),
                        .message = "the job is no longer this worker's; its outcome was dropped"});
    }
    for (const auto& failed : result.failed)
        std::next(batch.begin(), static_cast<std::ptrdiff_t>(failed.index))->result =
            failure(failed.reason, ":effects");
    for (const auto& job : batch)
        if (job.effects && !job.is_gone())
            tell_of_end(life_, job);
    handlers_.jobs().let_go(batch);
}

void queue_runner::tell_of_unhandled(const std::vector<std::string>& kinds)
{
    constexpr std::size_t most_kinds = 1000; // anybody may push jobs of any kind
    constexpr auto pause = std::chrono::minutes{1};
    if (kinds.empty())
        return;
    if (unhandled_.size() > most_kinds)
        unhandled_.clear();
    for (const auto& kind : kinds)
        ++unhandled_[kind].count;
    const auto now = clock::now();
    for (auto& [kind, met] : unhandled_)
        if (met.count != 0 && now >= met.next) {
            met.next = now + pause;
            life_.emit({.kind = event_kind::unhandled,
                        .queue = name(),
                        .message = kind,
                        .count = std::exchange(met.count, 0)});
        }
}

// --- jobs ----------------------------------------------------------------------------

/// A job that was just taken: to be started, or refused.
void queue_runner::add_job(fetched_job&& taken, clock::time_point leased, clock::time_point now)
{
    auto& job = handlers_.jobs().add(*this, std::move(taken), leased, now);
    if (source_->can().tokens_stay)
        index_by_id(job);
    leases_.add(job);

    const bool wants_age = options_.expiry.count() > 0;
    if (life_.stops()) // the answer to a call that was under way when the worker was told to stop
        handlers_.finish(job, coworker::release());
    else if (!job.job.decodable)
        handlers_.finish(
            job, outcome{outcome::kind::broken, "the payload is not a JSON array of an id and a job"});
    else if (auto refusal = refuse_to_start(job.job, wants_age ? age_of(job.job) : std::nullopt, options_))
        handlers_.finish(job, std::move(*refusal));
    else
        handlers_.add(job);
}

/// Notes which job has an id. One that is held under the same id was lost, and the loss has not been told yet.
void queue_runner::index_by_id(running_job& job)
{
    auto [place, is_new] = by_id_.try_emplace(job.job.id(), &job);
    if (is_new)
        return;
    leases_.lose(*place->second, "it was handed out again"); // which may have let go of it
    by_id_.erase(job.job.id());
    by_id_.emplace(job.job.id(), &job);
}

void queue_runner::job_ended(running_job& job)
{
    notes_.job_ended(job);
    // Settled with the token that holds when the renewal under way has been answered.
    const bool waits_for_renewal = job.renewing || (job.job.in_doubt && !job.lost);
    if (waits_for_renewal && !job.renewing)
        leases_.renew_now(job);
    const bool is_ready = !waits_for_renewal && job.noting == 0;
    dispatcher_.job_ended(index_, !job.lost && is_ready);
    if (is_ready)
        release(job);
    life_.there_is_work();
    if (life_.stops())
        life_.has_changed();
}

void queue_runner::noted(running_job& job)
{
    if (--job.noting == 0 && !job.renewing && (job.lost || !job.job.in_doubt))
        lease_known(job);
}

void queue_runner::lease_known(running_job& job)
{
    if (job.noting != 0)
        return;
    if (!job.lost)
        dispatcher_.outcome_ready(index_);
    release(job);
    life_.there_is_work();
    if (life_.stops())
        life_.has_changed();
}

/// Takes a job that has ended out of the list of those held; to be acknowledged, unless it was lost.
void queue_runner::release(running_job& job)
{
    leases_.remove(job);
    if (!by_id_.empty())
        if (const auto place = by_id_.find(job.job.id()); place != by_id_.end() && place->second == &job)
            by_id_.erase(place);
    if (job.lost)
        handlers_.jobs().drop(job);
    else
        handlers_.jobs().move(job, outbox_.jobs(), outbox_.place_of(job, life_.stops()));
}

queue_runner::clock::time_point queue_runner::begin_of_lease(clock::time_point asked) const noexcept
{
    // The call may have had to wait for a connection.
    return connection_ ? std::max(asked, connection_->connecting_since()) : asked;
}

} // namespace coworker::detail
