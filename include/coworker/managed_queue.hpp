// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/codec.hpp"
#include "coworker/detail/decoded_work.hpp"
#include "coworker/detail/single_push.hpp"
#include "coworker/detail/unnamed_queue.hpp"
#include "coworker/job_effects.hpp"
#include "coworker/managed_counts.hpp"
#include "coworker/managed_details.hpp"
#include "coworker/managed_job.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/managed_results.hpp"
#include "coworker/managed_statistics.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace coworker {

class durability;

/// A queue in qless' layout, of jobs of many kinds. Ruby and Python qless clients and coworker programs share it.
///
///     coworker::managed_queue invoices{redis, "invoices"};
///     co_await invoices.async_push("Invoice", bill, {.priority = 10});
///
/// Objects are cheap handles, which may be copied and moved. Several of the same name are the same queue.
///
/// @par Errors  Before anything is sent: `errc::invalid_option`, `errc::invalid_queue_name`, `errc::invalid_job_id`,
///   `errc::not_serializable` or `errc::job_too_large`. Operations that can be refused in normal use return a
///   `result`, and name its `errc`. The error code is `errc::stopped`, `errc::unavailable`, `errc::in_doubt`,
///   `errc::timed_out`, `errc::command_refused`, `errc::read_only_server`, or one of `client::async_connect`.
/// @par Cancellation  As completion.hpp says: operations that read obey terminal, partial and total cancellation, those
///   that change something obey terminal and partial.
/// @par Lifetime  An operation reads its arguments when it is called, and owns what it needs from then on. The queue,
///   texts and options need not outlive the call. When the client is destroyed, the operation fails with
///   `errc::stopped`.
/// @par Thread safety  As `client`.
class managed_queue
{
public:
    /// What a worker's handler receives unless it asks for another type.
    using job_type = raw_json;
    /// How a job is pushed.
    using push_options_type = managed_push_options;
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// Its jobs have kinds: see `handlers_by_kind`.
    static constexpr bool has_kinds = true;

    /// Sends nothing: the queue comes into being with its first job.
    ///
    /// @param redis  the client whose connection the queue uses
    /// @param name  UTF-8, 1 to 512 bytes
    /// @param options  where the queue is, and its limits
    /// @throws system_error  `errc::invalid_queue_name`, or `errc::invalid_option`.
    managed_queue(const client& redis, std::string name, managed_options options = {});

    /// The queue's name.
    const std::string& name() const noexcept { return name_; }
    /// The options that the constructor was given.
    const managed_options& options() const noexcept { return options_; }
    /// The client's executor.
    executor_type get_executor() const;

    // --- push ---

    /// A handle of the same queue whose pushes pass through `another`, after the middleware that this handle has.
    /// `async_push`, `async_push_many` and `async_push_each` do; requeued jobs, recurring jobs and schedules do not.
    ///
    ///     co_await mail.with(coworker::carry_trace(trace)).async_push("Letter", letter);
    ///
    /// @param another  is called by pushes, in the thread of their caller, and must not block
    managed_queue with(push_middleware another) const;
#ifdef COWORKER_COMPILER_DESTROYS_AGGREGATES_TWICE
    template<class Function>
    requires(detail::crashes_as_temporary<Function>) detail::unnamed_queue<managed_queue> with(
        Function&& another)
    const
    {
        return detail::unnamed_queue{with(push_middleware{std::forward<Function>(another)})};
    }
#endif

    /// A handle of the same queue whose pushes complete when they are confirmed to be as durable as `wanted` says, as
    /// `raw_list_queue::with` describes. `async_push`, `async_push_many` and `async_push_each` are confirmed.
    managed_queue with(const durability& wanted) const;

    /// Pushes a job, or moves a job that exists under the given jid. Once this has completed, the job stays in Redis
    /// until it is complete or cancelled. Completes with `void(error_code, std::string)`: its jid, or that of the job
    /// that has its unique key (`managed_push_options::unique`).
    ///
    /// After `errc::in_doubt`, `errc::timed_out` or a cancellation it is in doubt whether the job was pushed. If you
    /// have given it a jid, you can safely push it again.
    ///
    /// @param kind  the kind of job
    /// @param data  anything that `encode` takes: a described type, a `json::value`, a `raw_json`. It is encoded by the
    ///   call. qless' own clients expect a JSON object.
    /// @param options  how to push it
    /// @param token  the completion token
    /// @note  With g++ 12, give an aggregate a name first: that compiler destroys such a temporary twice in a
    ///   `co_await` expression. Otherwise the call does not compile, if `co_await` may follow.
    template<class Data, class Token = default_token>
    auto async_push(std::string_view kind, Data&& data, managed_push_options options = {},
                    Token&& token = default_token{}) const
    {
        const auto push = [&] { return push_encoded(kind, encode(data).value(), options); };
        return detail::start_change<Data>(*this, std::forward<Token>(token), push);
    }
    /// The same with default options.
    template<class Data, detail::token_for<void(error_code, std::string)> Token>
    auto async_push(std::string_view kind, Data&& data, Token&& token) const
    {
        return async_push(kind, std::forward<Data>(data), managed_push_options{}, std::forward<Token>(token));
    }

    /// A push that is carried out in the step that acknowledges a job: `context.effects().push(queue, kind, data,
    /// options)` calls this.
    ///
    /// @throws system_error  what `async_push` refuses before it sends anything; `errc::invalid_option` for
    ///   `on_conflict::refuse`, as the job that it is an effect of would be done without it.
    template<class Data>
    effect push_effect(std::string_view kind, const Data& data,
                       const managed_push_options& options = {}) const
    {
        return encoded_push_effect(kind, encode(data).value(), options);
    }

    /// Pushes many jobs, 128 in a script. Completes with `void(error_code, std::vector<std::string>)`: their jids, in
    /// the same order.
    ///
    /// Jobs of equal priority run in this order. With priorities above 2, where the scores in Redis get coarse, this
    /// holds within each 128 jobs only.
    ///
    /// All jobs are checked before any is sent. After an error of Redis or a cancellation it is in doubt which jobs
    /// were pushed: a first part of them, in order. If you have given them jids, you can safely push them again. A
    /// job that Redis refuses by itself, such as one whose batch has ended, is an error of this call. The others
    /// are pushed; `async_push_each` tells which.
    ///
    /// Of a job that was not pushed because another one has its unique key, the jid is that of the other one, also with
    /// `on_conflict::refuse`.
    template<class Token = default_token>
    auto async_push_many(std::span<const new_managed_job> jobs, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return push_many(jobs); });
    }

    /// The same, and tells what became of each job, also of those that Redis refuses (`push_result::error`). Completes
    /// with `void(error_code, std::vector<push_result>)`.
    template<class Token = default_token>
    auto async_push_each(std::span<const new_managed_job> jobs, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return push_each(jobs); });
    }

    /// The same for jobs of one kind, with the same options. Completes as the one above.
    ///
    /// @param kind  the kind of all jobs
    /// @param range  the data of each job, as `async_push` takes them
    /// @param options  for all of the jobs; a `jid` is refused with `errc::invalid_option`
    /// @param token  the completion token
    template<class Range, class Token = default_token>
    auto async_push_many(std::string_view kind, Range&& range, managed_push_options options = {},
                         Token&& token = default_token{}) const
    {
        const auto push = [&] {
            std::vector<std::string> texts;
            for (const auto& data : range)
                texts.push_back(encode(data).value());
            return push_many_encoded(kind, texts, std::move(options));
        };
        return detail::start_change<Range>(*this, std::forward<Token>(token), push);
    }
    /// The same with default options.
    template<class Range, detail::token_for<void(error_code, std::vector<std::string>)> Token>
    auto async_push_many(std::string_view kind, Range&& range, Token&& token) const
    {
        return async_push_many(kind, std::forward<Range>(range), managed_push_options{},
                               std::forward<Token>(token));
    }

    /// Pushes an existing job again, to this queue, with its kind and data. A worker that runs it loses its lease.
    /// Completes with `void(error_code, result<void>)`; the result may be `errc::job_not_found`.
    ///
    /// @param job  the job as it was read
    /// @param options  how to push it. A `jid` other than the job's is refused with `errc::invalid_job_id`. `unique` is
    ///   refused with `errc::invalid_option`: the job keeps the key that it has.
    /// @param token  the completion token
    template<class Token = default_token>
    auto async_requeue(const managed_job& job, managed_push_options options = {},
                       Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return requeue(job, std::move(options)); });
    }
    /// The same with default options.
    template<detail::token_for<void(error_code, result<void>)> Token>
    auto async_requeue(const managed_job& job, Token&& token) const
    {
        return async_requeue(job, managed_push_options{}, std::forward<Token>(token));
    }
#ifdef COWORKER_COMPILER_DESTROYS_AGGREGATES_TWICE
    template<class Token = default_token>
    auto async_requeue(managed_job&& job, managed_push_options options = {},
                       Token&& token = default_token{}) const
    {
        return detail::start_change<managed_job>(*this, std::forward<Token>(token),
                                                 [&] { return requeue(job, std::move(options)); });
    }
    template<detail::token_for<void(error_code, result<void>)> Token>
    auto async_requeue(managed_job&& job, Token&& token) const
    {
        return async_requeue(std::move(job), managed_push_options{}, std::forward<Token>(token));
    }
#endif

    // --- wait ---

    /// Waits until a job has ended, and completes with what its handler returned: with `void(error_code, T)`, or with
    /// `void(error_code)` if `T` is void.
    ///
    ///     const std::string id = co_await reports.async_push("Report", wanted);
    ///     const summary made = co_await reports.async_wait_for<summary>(id);
    ///
    /// A job that ended before is seen at once. Any number of programs may wait for a job, whatever queue it is in,
    /// and whichever worker runs it. The wait goes on after a retry or the death of a worker. Redis announces the
    /// end, and jobs that nobody waits for pay nothing. The wait goes on while there is no connection.
    ///
    /// @tparam T  what `decode` makes of the result; `std::optional` of it: empty if there is none; void: whatever it
    ///   is
    /// @param jid  the job's id
    /// @param options  whether the job is cancelled with the wait
    /// @param token  the completion token; with `asio::cancel_after(5s)` the wait has a time limit
    /// @par Cancellation  terminal, partial, and without `wait_options::cancel_job` total.
    /// @par Errors  `errc::job_failed`: the message has the group and the reason. `errc::job_gone`: it was cancelled or
    ///   deleted. `errc::no_result`: it is complete, and there is no result, or none any more. `errc::job_not_found`:
    ///   there is no such job, or its record is not kept any more. Those of decoding, if the result is no `T`.
    template<class T = void, class Token = default_token>
    auto async_wait_for(std::string_view jid, wait_options options = {},
                        Token&& token = default_token{}) const
    {
        static_assert(detail::decodable_type<T>::value, COWORKER_JOB_IS_NOT_DESCRIBED);
        constexpr bool wants_result = !std::is_void_v<T> && !detail::is_optional<T>;
        return detail::start(
            get_executor(), options.cancel_job ? detail::leaves_in_doubt : detail::leaves_nothing,
            [&] { return detail::decoded_work<T>{wait_for(jid, options, wants_result)}; },
            std::forward<Token>(token));
    }
    /// The same with default options.
    template<class T = void, class Token>
    requires(!std::convertible_to<Token, wait_options>) auto async_wait_for(std::string_view jid,
                                                                            Token&& token) const
    {
        return async_wait_for<T>(jid, wait_options{}, std::forward<Token>(token));
    }

    // --- look ---

    /// Shows up to `count` jobs, 500 at most, that would be fetched next. Delayed and recurring jobs that are
    /// due start to wait. Completes with `void(error_code, std::vector<managed_job>)`.
    template<class Token = default_token>
    auto async_peek(std::size_t count = 1, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return peek(count); });
    }

    /// Counts the jobs in each state. Completes with `void(error_code, managed_queue_counts)`.
    template<class Token = default_token>
    auto async_counts(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [this] { return counts(); });
    }

    /// Reads what happened on the day (UTC) that contains `day`. Default: today, by the server's clock. Completes with
    /// `void(error_code, managed_statistics)`.
    template<class Token = default_token>
    auto async_statistics(std::optional<timestamp> day = std::nullopt, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return statistics(day); });
    }

    /// Reads the jids of the jobs in a state. Completes with `void(error_code, std::vector<std::string>)`.
    ///
    /// @param in_state  running, stalled, scheduled, depends or recurring; others are refused with
    ///   `errc::invalid_option`. For waiting jobs see `async_peek`, for others `managed_client::async_failed` and
    ///   `async_completed`. Of the stalled jobs, only those are read whose lease has ended. Those that were taken from
    ///   their worker in another way are among the first that `async_peek` shows.
    /// @param offset  how many jids to skip
    /// @param count  how many jids to read, at most
    /// @param token  the completion token
    template<class Token = default_token>
    auto async_jobs(managed_state in_state, std::size_t offset = 0, std::size_t count = 25,
                    Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return jobs(in_state, offset, count); });
    }

    // --- act ---

    /// Pauses the queue: no worker gets jobs from it until `async_resume`, whichever library it uses; running jobs go
    /// on. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_pause(Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [this] { return pause(); });
    }

    /// Pauses the queue, and stops the countdown of its delayed jobs. When the queue is resumed, each is due later by as
    /// long as it was delayed and paused. A queue that is paused already is paused so from now on. Sleeping jobs, expiries and
    /// recurring jobs go by the clock. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_pause_delays(Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [this] { return pause_delays(); });
    }

    /// Ends what `async_pause` or `async_pause_delays` began. If very many jobs are delayed, Redis changes their due times
    /// in steps. A caller that dies meanwhile leaves the rest to workers, and no job is due too early. Completes with
    /// `void(error_code)`.
    template<class Token = default_token>
    auto async_resume(Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [this] { return resume(); });
    }

    /// Creates a recurring job, or changes the one with the given jid: a job is pushed here at each interval. Completes
    /// with `void(error_code, std::string)`: its jid.
    ///
    /// The jobs are made when a worker pops. qless' protocol rounds due times down to whole seconds.
    ///
    /// @param kind  the kind of its jobs
    /// @param data  the data of its jobs, as `async_push` takes them
    /// @param interval  the time between two jobs; greater than zero
    /// @param options  when the first job is due, and what its jobs have
    /// @param token  the completion token
    template<class Data, class Token = default_token>
    auto async_recur(std::string_view kind, Data&& data, option_duration_of<std::chrono::seconds> interval,
                     recur_options options = {}, Token&& token = default_token{}) const
    {
        const auto recur = [&] {
            return recur_encoded(kind, encode(data).value(), interval, std::move(options));
        };
        return detail::start_change<Data>(*this, std::forward<Token>(token), recur);
    }
    /// The same with default options.
    template<class Data, detail::token_for<void(error_code, std::string)> Token>
    auto async_recur(std::string_view kind, Data&& data, option_duration_of<std::chrono::seconds> interval,
                     Token&& token) const
    {
        return async_recur(kind, std::forward<Data>(data), interval, recur_options{},
                           std::forward<Token>(token));
    }

    /// Queues the oldest `count` failed jobs of a group again, in this queue, with all their retries. Completes with
    /// `void(error_code, std::size_t)`: how many were queued.
    ///
    /// @par Cost  One script per 500 jobs.
    template<class Token = default_token>
    auto async_unfail(std::string_view group, std::size_t count = 25, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return unfail(group, count); });
    }

    /// Removes the queue from the list of known queues, until a job is pushed to it. Its jobs stay. Completes with
    /// `void(error_code)`.
    template<class Token = default_token>
    auto async_forget(Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [this] { return forget(); });
    }

    // --- settings, which are kept in Redis and hold for all clients ---

    /// Reads the settings of this queue. Completes with `void(error_code, managed_queue_settings)`.
    template<class Token = default_token>
    auto async_settings(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [this] { return settings(); });
    }

    /// Sets `managed_queue_settings::heartbeat`, greater than zero. Empty: the setting for all queues applies again.
    /// Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_set_heartbeat(std::optional<option_duration> heartbeat, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return set_heartbeat(heartbeat); });
    }
    /// Sets `managed_queue_settings::max_concurrency`. Zero: any number. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_set_max_concurrency(std::uint64_t count, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return set_max_concurrency(count); });
    }

    /// Sets `managed_queue_settings::max_waiting`. Zero: any number. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_set_max_waiting(std::uint64_t count, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return set_max_waiting(count); });
    }

    /// Sets `managed_queue_settings::ageing`: 1 ms to 30 years, or zero. It holds from now on. Jobs that wait keep their
    /// order and what they have gained, and gain from now on what is set. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_set_ageing(option_duration time_for_one, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return set_ageing(time_for_one); });
    }

    /// Sets the limits that all jobs of the queue are subject to, beside their own; an empty list removes them. The
    /// settings of a limit are `managed_client::async_set_limit`'s. Completes with `void(error_code)`.
    ///
    /// A limit counts the jobs of coworker's workers, may be shared by several queues and may have a rate. For a number
    /// of running jobs that holds for qless' own workers too, set `async_set_max_concurrency`.
    template<class Token = default_token>
    auto async_set_limits(limit_list limits, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return set_limits(std::move(limits)); });
    }
    /// Reads the limits of the queue. Completes with `void(error_code, std::vector<limit_use>)`.
    template<class Token = default_token>
    auto async_limits(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [this] { return limits(); });
    }
    /// Sets how many jobs a group (`managed_push_options::group`) has in its turn, beside groups of weight 1. Completes
    /// with `void(error_code)`.
    ///
    /// @param group  the group; it need not have jobs
    /// @param weight  from 0.001 to 1000
    /// @param token  the completion token
    template<class Token = default_token>
    auto async_set_group_weight(std::string_view group, double weight, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return set_group_weight(group, weight); });
    }
    /// Reads the weights that are set, by the groups' names; other groups have 1. Completes with
    /// `void(error_code, std::vector<group_weight>)`.
    ///
    /// @par Cost  One script, O(number of weights).
    template<class Token = default_token>
    auto async_group_weights(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [this] { return group_weights(); });
    }

    /// The queue as a worker sees it. `worker::handle` and `monitor::watch` call it.
    std::unique_ptr<job_source> make_source() const;

private:
    asio::awaitable<result<void>> requeue(const managed_job& job, managed_push_options options) const;
    detail::single_push push_encoded(std::string_view kind, const std::string& data,
                                     const managed_push_options& options) const;
    effect encoded_push_effect(std::string_view kind, const std::string& data,
                               const managed_push_options& options) const;
    asio::awaitable<std::vector<std::string>> push_many(std::span<const new_managed_job> jobs) const;
    asio::awaitable<std::vector<push_result>> push_each(std::span<const new_managed_job> jobs) const;
    asio::awaitable<std::vector<push_result>> push_with_room(std::vector<new_managed_job> jobs) const;
    asio::awaitable<std::vector<std::string>> push_many_encoded(std::string_view kind,
                                                                const std::vector<std::string>& texts,
                                                                managed_push_options options) const;
    asio::awaitable<std::string> recur_encoded(std::string_view kind, std::string data,
                                               std::chrono::seconds interval, recur_options options) const;
    asio::awaitable<std::vector<managed_job>> peek(std::size_t count) const;
    asio::awaitable<managed_queue_counts> counts() const;
    asio::awaitable<managed_statistics> statistics(std::optional<timestamp> day) const;
    asio::awaitable<std::vector<std::string>> jobs(managed_state in_state, std::size_t offset,
                                                   std::size_t count) const;
    asio::awaitable<void> pause() const;
    asio::awaitable<void> pause_delays() const;
    asio::awaitable<void> resume() const;
    asio::awaitable<std::size_t> unfail(std::string_view group, std::size_t count) const;
    asio::awaitable<void> forget() const;
    asio::awaitable<managed_queue_settings> settings() const;
    asio::awaitable<void> set_max_waiting(std::uint64_t count) const;
    asio::awaitable<void> set_ageing(std::chrono::milliseconds time_for_one) const;
    asio::awaitable<void> set_heartbeat(std::optional<std::chrono::milliseconds> heartbeat) const;
    asio::awaitable<void> set_max_concurrency(std::uint64_t count) const;
    asio::awaitable<void> set_limits(limit_list limits) const;
    asio::awaitable<std::vector<limit_use>> limits() const;
    asio::awaitable<void> set_group_weight(std::string_view group, double weight) const;
    asio::awaitable<std::vector<group_weight>> group_weights() const;
    std::string make_jid() const;
    asio::awaitable<std::string> wait_for(std::string_view jid, wait_options options,
                                          bool wants_result) const;
    detail::single_push push_one(std::string_view kind, const std::string& data,
                                 const managed_push_options& options) const;
    /// The jobs as the middleware make them, kept in `own`; without middleware, the jobs themselves.
    std::span<const new_managed_job> changed(std::span<const new_managed_job> jobs,
                                             std::vector<new_managed_job>& own) const;

    std::shared_ptr<detail::connection> redis_;
    std::string name_;
    managed_options options_;
    std::shared_ptr<const std::vector<push_middleware>> around_; ///< null: none
};

} // namespace coworker
