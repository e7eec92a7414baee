// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/codec.hpp"
#include "coworker/completion.hpp"
#include "coworker/detail/begun_step.hpp"
#include "coworker/detail/decoded_work.hpp"
#include "coworker/error.hpp"
#include "coworker/job.hpp"
#include "coworker/job_effects.hpp"
#include "coworker/job_source.hpp"
#include "coworker/option_duration.hpp"
#include "coworker/outcome.hpp"
#include "coworker/suspended.hpp"
#include "coworker/trace_context.hpp"

#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace coworker {

namespace asio = boost::asio;

namespace detail {
class job_gatherer;
struct running_job;
} // namespace detail

/// The job that a handler runs, and what the handler may do with it. Valid until the handler has ended.
///
/// @par Thread safety  Use it where the handler runs only, so never inside `async_run_blocking`. With
///   `handle_options::executor` that is the strand of the run. There all of it is safe beside the worker: an operation is
///   carried out on the worker's executor, and completes on the strand.
class job_context
{
public:
    job_context(const job_context&) = delete;
    job_context& operator=(const job_context&) = delete;

    /// The name of the job's queue.
    const std::string& queue() const noexcept;

    /// The job's id: a UUID if coworker or hworker made it, else any text.
    std::string_view id() const noexcept;

    /// What the job's kind of queue knows beside the data, such as `managed_details`; null for the jobs of other
    /// queues.
    template<class Details>
    const Details* details() const noexcept
    {
        return dynamic_cast<const Details*>(any_details());
    }

    /// The kind of a managed queue's job, which chose this handler; empty for the jobs of other queues.
    std::string_view kind() const noexcept;

    /// The number of this attempt, 1 for the first run. Retries count, and so do runs that ended with a lost lease or a
    /// dead worker; released jobs do not.
    unsigned attempt() const noexcept;

    /// A value of what travels with the job: `managed_push_options::metadata`. Empty if there is none of this name;
    /// jobs of list queues carry nothing.
    std::optional<std::string_view> metadata(const std::string& name) const;

    /// The place in a trace that this run belongs to: what `set_trace` set last, else what the job was pushed with
    /// (`carry_trace`). Empty if there is none.
    std::optional<trace_context> trace() const;

    /// Makes this the run's place in a trace, for the middleware inside of this one and the handler: a span of the run
    /// itself.
    void set_trace(trace_context place);

    /// When the job was queued, by its producer's clock, if its id is a version 7 UUID, as ids made by coworker are.
    std::optional<timestamp> queued_at() const;

    /// The fencing token of the lease. In a list queue it is hworker's start time, which changes whenever the lease
    /// is renewed; in a managed queue it is the worker's name. With `handle_options::executor` it is the one with which
    /// the run began.
    const std::string& lease_token() const noexcept;

    /// The handler was told to end, because its lease was lost, its timeout or expiry has passed, or the
    /// worker stops. The Asio operation that the handler awaits is cancelled (terminal) as well. May be called on any
    /// thread until the handler has ended, so a long computation can look at it.
    bool cancelled() const noexcept;

    /// A slot for work that does not run inside the handler's coroutine: it receives a terminal cancellation when the
    /// handler is told to end. With `handle_options::executor` it receives it on the strand of the run.
    asio::cancellation_slot cancellation_slot() noexcept;

    /// Renews the lease now. Long handlers do not need this, since the worker renews leases by itself.
    /// It tells whether the job is still leased to this worker, for example after the executor was blocked. The handler
    /// must not end before this has completed.
    ///
    /// Completes with `void(error_code, result<void>)`; the result is `errc::lease_lost` if the lease has ended.
    ///
    /// @par Cancellation  terminal, partial. The lease may have been renewed.
    /// @par Errors  Those of the connection. After `errc::in_doubt` it is in doubt whether the lease was renewed; the
    ///   worker finds out.
    template<class Token = default_token>
    auto async_extend(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return extend(); }, std::forward<Token>(token));
    }

    /// Sets the timeout of this run to `limit` from now, in place of `handle_options::timeout` and
    /// `handle_options::expiry`. Zero or less: no timeout.
    void set_timeout(option_duration limit);

    /// Tells how far the job is: `context.set_progress(0.4, "page 12 of 30")`. `managed_client::async_status`, the
    /// inspector and the pages show it.
    ///
    /// Costs next to nothing, so call it as often as you like. The worker stores the latest of each job at most
    /// once a second, with one call for all jobs of a queue. Stored only while the lease is held. Does nothing for
    /// jobs of list queues.
    ///
    /// @param fraction  how much of the work is done, from 0 to 1; what is beyond counts as 0 or 1
    /// @param message  for people; UTF-8, only the first 512 bytes are stored
    void set_progress(double fraction, std::string_view message = {});

    /// Logs a line for people: `context.log("page 12 is empty")`. The job's page, `coworker job` and the HTTP API show
    /// the lines of a job, with their times, for as long as its record is kept.
    ///
    /// Costs little: the worker stores new lines at most once a second, with one call for all jobs of a queue. The last
    /// ones it stores when the handler ends, before the outcome. Stored only while the lease is held: when a worker dies, the lines of the last second are lost.
    /// A job keeps its newest 100 lines, and at most 8 KiB of them. Does nothing for jobs of list queues.
    ///
    /// @param line  UTF-8, only the first 1000 bytes are stored
    void log(std::string_view line);

    /// Stores where a later attempt may go on, in place of what was stored before. Whatever ends this attempt, the next
    /// one finds it with `async_checkpoint`, in whichever worker. It goes when the job succeeds, is forwarded or
    /// cancelled; a job that failed keeps it for when it is retried. The handler must not end before this has
    /// completed.
    ///
    /// Completes with `void(error_code, result<void>)`; the result is `errc::lease_lost` if the lease has ended, and
    /// nothing was stored then.
    ///
    /// @param checkpoint  anything that `encode` takes; 1 MiB of JSON at most
    /// @param token  the completion token
    /// @par Cancellation  terminal, partial. It may have been stored.
    /// @par Errors  `errc::not_serializable`; `errc::job_too_large`; `errc::not_supported` in list queues; those of the
    ///   connection.
    template<class Checkpoint, class Token = default_token>
    auto async_save(Checkpoint&& checkpoint, Token&& token = default_token{})
    {
        return detail::start<Checkpoint>(
            get_executor(), detail::leaves_in_doubt, [&] { return save(encode(checkpoint).value()); },
            std::forward<Token>(token));
    }

    /// Reads the checkpoint that this attempt or an earlier one has stored. Completes with
    /// `void(error_code, std::optional<Checkpoint>)`: empty if there is none.
    ///
    /// @par Cancellation  terminal, partial, total.
    /// @par Errors  Those of decoding, if what is stored is no `Checkpoint`; those of the connection.
    template<class Checkpoint, class Token = default_token>
    auto async_checkpoint(Token&& token = default_token{})
    {
        using work = detail::decoded_work<std::optional<Checkpoint>>;
        static_assert(detail::decodable_type<Checkpoint>::value, COWORKER_JOB_IS_NOT_DESCRIBED);
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return work{checkpoint()}; },
            std::forward<Token>(token));
    }

    /// Carries out a part of the job once, whatever becomes of this attempt: `auto receipt = co_await
    /// context.step("charge", [&] { return charge(order); });`. The function is called, and what it returns is stored,
    /// before the handler goes on. A later attempt that comes to the step gets the value from there, and does not call
    /// the function, in whichever worker it runs. Between the function's end and the storing, a worker may be killed:
    /// then the next attempt calls it again. docs/steps.md is a guide.
    ///
    /// The values go when the job succeeds, is forwarded or cancelled; a job that failed keeps them for when it is
    /// retried. A function that throws has no value: nothing is stored, and the exception goes on to the handler, which
    /// may begin the step again.
    ///
    /// @param name  tells the step from the others of the job: 1 to 256 bytes of UTF-8. A run has one step of each name
    /// @param function  copied or moved, and called without arguments if no earlier attempt has stored the step. A
    ///   coroutine that returns `asio::awaitable<T>`, or a function that returns `T`; `T` may be `void`, and else is
    ///   what `encode` and `decode` take. A job has at most 1,000 steps, with 1 MiB of names and values as JSON
    /// @return  the value; the awaitable is for the handler's coroutine, or one that it awaits
    /// @throws system_error  From the awaitable: `errc::lease_lost`, when the lease has ended; nothing was stored then,
    ///   and the handler has nothing more to do. `errc::invalid_option`, when this run has had a step of the name, or the
    ///   name is none. `errc::job_too_large`; `errc::not_serializable`; that of decoding, if what is stored is no `T`;
    ///   `errc::not_supported` in list queues; those of the connection.
    /// @par Cancellation  That of the function. When a step is cancelled while it is stored, it may have been stored.
    /// @note  With g++ 12, a temporary lambda that captures objects by value, such as a string, does not compile. That
    ///   compiler destroys it twice in a `co_await` expression. Give it a name first.
    template<class Function>
    auto step(std::string_view name, Function&& function)
    {
        using value_type = typename detail::step_result<Function>::type;
        static_assert(detail::decodable_type<value_type>::value, COWORKER_JOB_IS_NOT_DESCRIBED);
        static_assert(!detail::crashes_as_temporary<Function>, COWORKER_NAME_TEMPORARY_FIRST);
        return run_step(std::string{name}, std::decay_t<Function>(std::forward<Function>(function)));
    }

    /// Reads the steps that this attempt and earlier ones have stored: name and value, as JSON text. Empty in list
    /// queues. Completes with `void(error_code, std::map<std::string, std::string>)`.
    ///
    /// @par Cancellation  terminal, partial, total.
    template<class Token = default_token>
    auto async_steps(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return steps(); }, std::forward<Token>(token));
    }

    /// Reads what the handler of another job has returned: of one that this job waited for
    /// (`managed_push_options::depends`). With `managed_push_options::reads_parents` the ids of all of them are in
    /// `managed_details::parents`. Completes with `void(error_code, T)`, and never waits for the end of a job.
    ///
    /// @tparam T  what `decode` makes of the result; `std::optional` of it: empty if it has succeeded and there is none
    /// @param id  the id of the other job
    /// @param token  the completion token
    /// @par Cancellation  terminal, partial, total.
    /// @par Errors  `errc::job_failed`: it failed; the message has the group and the reason. `errc::job_not_found`: it
    ///   was cancelled, or its record is not kept any more. `errc::no_result`: it has not ended, has returned nothing,
    ///   or its result is not kept any more (`managed_push_options::result_retention`). Those of decoding, if the
    ///   result is no `T`; `errc::not_supported` in list queues and queues in memory; those of the connection.
    template<class T, class Token = default_token>
    auto async_parent_result(std::string_view id, Token&& token = default_token{})
    {
        static_assert(detail::decodable_type<T>::value && !std::is_void_v<T>, COWORKER_JOB_IS_NOT_DESCRIBED);
        return detail::start(
            get_executor(), detail::leaves_nothing,
            [&] { return detail::decoded_work<T>{parent_result(id, !detail::is_optional<T>)}; },
            std::forward<Token>(token));
    }

    /// Waits for a while. Up to five seconds the handler waits, and may be cancelled. For longer, this throws
    /// `suspended`, and the job is suspended: it goes back without counting an attempt. When the time has come, it runs
    /// again from its beginning, in whichever worker, and this returns at once. When the sleep ends is decided when a
    /// run of the job first comes here. See docs/signals.md.
    ///
    /// @param name  UTF-8 of 1 to 256 bytes. Sleeps of one name are told apart by their order in a run
    /// @param length  how long; zero or less: not at all
    /// @throws suspended  which is no std::exception: let it leave the handler
    /// @throws system_error  `errc::not_supported` in list queues, beyond five seconds; `errc::lease_lost`; those of the
    ///   connection
    asio::awaitable<void> sleep_for(std::string_view name, option_duration length);
    /// The same until a time of Redis' clock.
    asio::awaitable<void> sleep_until(std::string_view name, timestamp time);

    /// Waits for a signal, which anybody sends with `managed_client::async_signal`, also before the job asks. If there is
    /// none yet, the job is suspended as by `sleep_for`. It runs again from its beginning when the signal comes or the
    /// time is over. The nth wait for a name in a run gets the nth signal of that name; a later attempt gets the same
    /// ones. See docs/signals.md.
    ///
    /// @tparam T  what `decode` makes of the signal
    /// @param name  UTF-8 of 1 to 256 bytes
    /// @param timeout  how long to wait, from when a run of the job first comes here; zero: take what is there
    /// @return  the signal; empty if none came in time, which every later attempt is told, too
    /// @throws suspended  which is no std::exception: let it leave the handler
    /// @throws system_error  those of decoding; `errc::not_supported` in list queues; `errc::lease_lost`; those of the
    ///   connection
    template<class T>
    asio::awaitable<std::optional<T>> signal(std::string_view name, option_duration timeout)
    {
        static_assert(detail::decodable_type<T>::value && !std::is_void_v<T>, COWORKER_JOB_IS_NOT_DESCRIBED);
        return decode_signal<T>(receive(signal_wait(name, timeout)));
    }

    /// Waits for the end of another job of a managed queue with the same prefix, in whatever queue, and reads what became
    /// of it: `const auto made = co_await context.async_wait_for_job<report>(id, 24h);`. If it has not ended, this job is
    /// suspended as by `sleep_for`. It runs again from its beginning when the other job succeeds, fails for good or is
    /// cancelled, or when the time is over. A retry of the other job does not end the wait. A later attempt is told the
    /// same. Jobs that wait for each other do so until the time is over. See docs/signals.md.
    ///
    /// @tparam T  what `decode` makes of the other job's result
    /// @param id  of the other job: UTF-8 of 1 to 256 bytes
    /// @param timeout  how long to wait, from when a run of the job first comes here; zero: see how it is
    /// @throws suspended  which is no std::exception: let it leave the handler
    /// @throws system_error  those of decoding; `errc::not_supported` in list queues; `errc::lease_lost`; those of the
    ///   connection
    template<class T = raw_json>
    asio::awaitable<awaited_job<T>> async_wait_for_job(std::string_view id, option_duration timeout)
    {
        static_assert(detail::decodable_type<T>::value && !std::is_void_v<T>, COWORKER_JOB_IS_NOT_DESCRIBED);
        return decode_end<T>(wait_for_end(job_wait{.name = id, .what = wait_kind::job, .length = timeout}));
    }

    /// Reads all signals of this job and what it has waited for, for handlers that pass a job on to another program.
    /// Completes with `void(error_code, job_signals)`; jobs of list queues have none.
    ///
    /// @par Cancellation  terminal, partial, total.
    template<class Token = default_token>
    auto async_signals(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return signals(); }, std::forward<Token>(token));
    }

    /// What is to be carried out in Redis in the step that acknowledges this job: commands, and jobs that are pushed.
    /// Exactly once: only if the outcome is a success or `forward`, and only if the lease still holds. See
    /// `job_effects`.
    job_effects& effects();

    /// The worker's executor, on which the handler runs unless `handle_options::executor` says otherwise.
    asio::any_io_executor get_executor() const;

private:
    friend class detail::job_gatherer;
    friend struct detail::running_job;

    explicit job_context(detail::running_job& job) noexcept : job_{&job} {}
    const job_details* any_details() const noexcept;
    void gathers(bool does) noexcept;
    asio::awaitable<result<void>> extend();
    asio::awaitable<result<void>> save(std::string checkpoint);
    asio::awaitable<std::string> checkpoint();
    asio::awaitable<std::string> parent_result(std::string_view id, bool needed);
    asio::awaitable<detail::begun_step> begin_step(std::string name);
    asio::awaitable<result<void>> store_step(std::string name, std::string value);
    asio::awaitable<std::map<std::string, std::string>> steps();

    auto async_begin_step(const std::string& name)
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return begin_step(name); }, default_token{});
    }

    auto async_store_step(const std::string& name, const std::string& value)
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return store_step(name, value); },
            default_token{});
    }

    /// The rest of `step`: a coroutine that has all it needs.
    template<class Function>
    asio::awaitable<typename detail::step_result<Function>::type> run_step(std::string name,
                                                                           Function function)
    {
        using value_type = typename detail::step_result<Function>::type;
        const detail::begun_step begun = co_await async_begin_step(name);
        if constexpr (std::is_void_v<value_type>) {
            if (begun.value)
                co_return;
            co_await detail::call_step(function);
            const std::string text = "null";
            const result<void> stored = co_await async_store_step(name, text);
            stored.value();
        } else {
            if (begun.value)
                co_return detail::decode_step<value_type>(name, *begun.value);
            value_type value = co_await detail::call_step(function);
            const std::string text = encode(value).value();
            const result<void> stored = co_await async_store_step(name, text);
            stored.value();
            co_return value;
        }
    }
    asio::awaitable<job_signals> signals();
    asio::awaitable<void> sleep(job_wait wait);
    static job_wait signal_wait(std::string_view name, option_duration timeout);
    /// The signal as JSON; empty: none came in time.
    asio::awaitable<std::string> receive(job_wait wait);
    template<class T>
    static asio::awaitable<std::optional<T>> decode_signal(asio::awaitable<std::string> receiving)
    {
        const std::string text = co_await std::move(receiving);
        co_return detail::decode_or_throw<std::optional<T>>(text);
    }
    asio::awaitable<awaited_job<>> wait_for_end(job_wait wait);
    template<class T>
    static asio::awaitable<awaited_job<T>> decode_end(asio::awaitable<awaited_job<>> waiting)
    {
        awaited_job<> end = co_await std::move(waiting);
        awaited_job<T> typed;
        typed.how = end.how;
        if (end.value)
            typed.value = detail::decode_or_throw<std::optional<T>>(end.value->text);
        typed.group = std::move(end.group);
        typed.message = std::move(end.message);
        co_return typed;
    }
    asio::awaitable<wait_state> begin_wait(job_wait& wait);
    asio::awaitable<wait_state> wait_here(job_wait& wait);

    detail::running_job* job_;
};

} // namespace coworker
