// SPDX-License-Identifier: MIT
#include "coworker/job_context.hpp"

#include "job_ids.hpp"
#include "operation.hpp"
#include "text/utf8.hpp"
#include "worker/handler_pool/outside_run.hpp"
#include "worker/queue_runner.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace coworker {
namespace {

/// So long a handler waits itself: longer waits suspend its job.
constexpr std::chrono::seconds longest_stay{5};

} // namespace

const std::string& job_context::queue() const noexcept
{
    return job_->queue->name();
}

std::string_view job_context::id() const noexcept
{
    return job_->job.id();
}

const job_details* job_context::any_details() const noexcept
{
    return job_->job.details.get();
}

void job_context::gathers(bool does) noexcept
{
    job_->gathers = does;
}

std::string_view job_context::kind() const noexcept
{
    return job_->job.kind;
}

unsigned job_context::attempt() const noexcept
{
    return job_->job.attempt;
}

std::optional<std::string_view> job_context::metadata(const std::string& name) const
{
    const auto* const all = any_details() != nullptr ? any_details()->own_metadata() : nullptr;
    if (all == nullptr)
        return std::nullopt;
    const auto found = all->find(name);
    return found != all->end() ? std::optional<std::string_view>{found->second} : std::nullopt;
}

std::optional<trace_context> job_context::trace() const
{
    if (job_->trace)
        return *job_->trace;
    const auto parent = metadata("traceparent");
    return parent ? trace_context::parse(*parent, metadata("tracestate").value_or("")) : std::nullopt;
}

void job_context::set_trace(trace_context place)
{
    job_->trace = std::make_unique<trace_context>(std::move(place));
}

std::optional<timestamp> job_context::queued_at() const
{
    return coworker::queued_at(job_->job.id());
}

const std::string& job_context::lease_token() const noexcept
{
    return job_->outside ? *job_->outside->lease : *job_->job.lease;
}

bool job_context::cancelled() const noexcept
{
    return job_->told_to_end != detail::end_reason::none;
}

asio::cancellation_slot job_context::cancellation_slot() noexcept
{
    if (job_->outside)
        return job_->outside->own_signal.slot();
    if (!job_->context_signal)
        job_->context_signal.emplace();
    return job_->context_signal->slot();
}

asio::awaitable<result<void>> job_context::extend()
{
    return job_->queue->leases().extend(*job_);
}

asio::awaitable<result<void>> job_context::save(std::string checkpoint)
{
    return job_->queue->notes().save(*job_, std::move(checkpoint));
}

asio::awaitable<std::string> job_context::checkpoint()
{
    return job_->queue->notes().checkpoint(*job_);
}

asio::awaitable<detail::begun_step> job_context::begin_step(std::string name)
{
    return detail::job_steps::begin(*job_, std::move(name));
}

asio::awaitable<result<void>> job_context::store_step(std::string name, std::string value)
{
    return detail::job_steps::store(*job_, std::move(name), std::move(value));
}

asio::awaitable<std::map<std::string, std::string>> job_context::steps()
{
    return detail::job_steps::read_all(*job_);
}

asio::awaitable<std::string> job_context::parent_result(std::string_view id, bool needed)
{
    // A coroutine, which begins on the worker's executor: only there a source is called.
    return [](job_source& source, std::string job, bool is_needed) -> asio::awaitable<std::string> {
        co_return co_await source.read_result(std::move(job), is_needed);
    }(job_->queue->source(), std::string{id}, needed);
}

/// How a wait stands that the run comes to. A short sleep is over soon, and nothing of it is stored.
asio::awaitable<wait_state> job_context::begin_wait(job_wait& wait)
{
    auto& turns = job_->turns;
    if (!turns)
        turns = std::make_unique<std::map<std::pair<wait_kind, std::string>, unsigned>>();
    wait.turn = ++(*turns)[{wait.what, wait.name}];
    if (wait.what == wait_kind::time && !wait.until.get() && wait.length <= longest_stay)
        co_return wait_state{.how = wait_state::kind::waits,
                             .left = std::max(wait.length, option_duration{0})};
    if (job_->is_gone())
        co_return wait_state{};
    job_->job.has_checkpoint = true; // also when the answer gets lost
    auto state = co_await job_->queue->source().begin_wait(job_->job, wait);
    if (state.how == wait_state::kind::lost)
        job_->queue->leases().told_lost(*job_);
    wait.after = state.read;
    co_return state;
}

/// The same on the handler's own executor, which may be another one. Throws if the job is to be suspended.
asio::awaitable<wait_state> job_context::wait_here(job_wait& wait)
{
    if (!detail::is_valid_name(wait.name))
        throw explained_error{
            errc::invalid_option,
            "the name of a sleep or signal, or the id of a job to wait for, is UTF-8 of 1 to "
            "256 bytes"};
    auto asking = begin_wait(wait);
    auto state = co_await asio::co_spawn(get_executor(), std::move(asking), asio::use_awaitable);
    if (state.how == wait_state::kind::lost)
        throw system_error{errc::lease_lost};
    if (state.how != wait_state::kind::waits)
        co_return state;
    if (wait.what != wait_kind::time || state.left > longest_stay)
        throw suspended{suspend(wait)};
    asio::steady_timer over{co_await asio::this_coro::executor, state.left};
    co_await over.async_wait(asio::use_awaitable);
    state.how = wait_state::kind::over;
    co_return state;
}

asio::awaitable<void> job_context::sleep(job_wait wait)
{
    co_await wait_here(wait);
}

job_wait job_context::signal_wait(std::string_view name, option_duration timeout)
{
    return {.name = name, .what = wait_kind::signal, .length = timeout};
}

asio::awaitable<std::string> job_context::receive(job_wait wait)
{
    auto state = co_await wait_here(wait);
    co_return std::move(state.value);
}

asio::awaitable<awaited_job<>> job_context::wait_for_end(job_wait wait)
{
    auto state = co_await wait_here(wait);
    co_return std::move(state.other);
}

asio::awaitable<job_signals> job_context::signals()
{
    auto all = co_await job_->queue->source().read_signals(job_->job);
    if (all.any())
        job_->job.has_checkpoint = true; // a success has to remove them
    co_return all;
}

asio::awaitable<void> job_context::sleep_for(std::string_view name, option_duration length)
{
    return sleep(job_wait{.name = name, .length = length});
}

asio::awaitable<void> job_context::sleep_until(std::string_view name, timestamp time)
{
    return sleep(job_wait{.name = name, .until = std::optional{time}});
}

void job_context::set_progress(double fraction, std::string_view message)
{
    constexpr std::size_t longest = 512;
    job_progress progress;
    progress.fraction = fraction > 0 ? std::min(fraction, 1.0) : 0; // nor what is no number
    progress.message = detail::make_utf8(message.substr(0, longest));
    if (job_->outside)
        detail::tell_progress(*job_, std::move(progress));
    else
        job_->queue->notes().note(*job_, std::move(progress));
}

void job_context::log(std::string_view line)
{
    constexpr std::size_t longest = 1000;
    auto text = detail::make_utf8(line.substr(0, longest));
    if (job_->outside)
        detail::tell_log(*job_, std::move(text));
    else
        job_->queue->notes().log(*job_, {detail::running_job::clock::now(), std::move(text)});
}

job_effects& job_context::effects()
{
    if (!job_->effects)
        job_->effects = std::make_unique<job_effects>(
            [queue = job_->queue](const effect& what) { queue->source().check_effect(what); });
    return *job_->effects;
}

void job_context::set_timeout(option_duration limit)
{
    using clock = detail::running_job::clock;
    const auto when = limit.count() > 0 ? clock::now() + limit : clock::time_point::max();
    const auto set = [job = job_, when] {
        job->queue->handlers().limit_run(*job, when, detail::end_reason::timeout);
    };
    if (job_->outside) // comes before the handler's end, which takes the same way
        asio::dispatch(get_executor(), set);
    else
        set();
}

asio::any_io_executor job_context::get_executor() const
{
    return job_->queue->get_executor();
}

template struct detail::operation<detail::begun_step>;

} // namespace coworker
