// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/codec.hpp"
#include "coworker/completion.hpp"
#include "coworker/detail/decoded_work.hpp"
#include "coworker/durability.hpp"
#include "coworker/job.hpp"
#include "coworker/job_effects.hpp"
#include "coworker/job_progress.hpp"
#include "coworker/job_source.hpp"
#include "coworker/outcome.hpp"
#include "coworker/payload_codec.hpp"

#include <boost/asio/append.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/system_executor.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coworker {
namespace detail {
class memory_store;

/// Pushes at once, and completes with what that returns or throws.
///
/// @tparam Argument  as that of `start`
template<class Result, class Argument = void, class Token, class Push>
auto complete_with(Token&& token, const Push& push)
{
    constexpr bool fits = completes<std::decay_t<Token>, Result>;
    static_assert(fits, COWORKER_CALLBACK_DOES_NOT_FIT);
    error_code ec;
    Result made;
    try {
        made = push();
    } catch (const system_error& error) {
        ec = error.code();
    }
    const auto complete = [](auto handler, error_code error, Result result) {
        const auto executor = asio::get_associated_executor(handler, asio::system_executor{});
        asio::post(executor, asio::append(std::move(handler), error, std::move(result)));
    };
    if constexpr (fits) {
        const auto initiate = [&]() -> decltype(auto) {
            return asio::async_initiate<Token, void(error_code, Result)>(complete, token, ec,
                                                                         std::move(made));
        };
        check_argument<Argument, decltype(initiate()), Result>();
        return initiate();
    }
}

} // namespace detail

/// For the tests of programs that use coworker: handlers run, and queues work, without Redis and without waiting.
///
/// Queues in memory behave like queues in Redis. The real worker drives them through a `job_source`, and they pass the
/// same tests as the queues in Redis.
///
/// @par Thread safety  Distinct objects that share no clock: safe. Shared objects: unsafe.
namespace testing {

/// A clock that stands still until `advance` moves it. Copies are the same clock.
class manual_clock
{
public:
    /// A clock that shows the beginning of 2030.
    manual_clock();
    /// A clock that shows this time.
    explicit manual_clock(timestamp begin);

    /// The time that the clock shows.
    timestamp now() const noexcept;

    /// Moves the clock forward. Delayed jobs that become due may run; jobs whose lease ends may be recovered.
    void advance(std::chrono::microseconds by);

private:
    friend class detail::memory_store;
    struct state;
    std::shared_ptr<state> state_;
};

/// A job in a queue in memory.
struct stored_job
{
    std::string id;       ///< as `push` returned it
    raw_json job;         ///< its JSON
    std::string kind{};   ///< by which `handlers_by_kind` choose the handler
    unsigned attempt = 1; ///< of its present or next run
    timestamp pushed{};   ///< when it was pushed
    timestamp due{};      ///< when it may run
    std::string reason{}; ///< why it failed, or is to be retried

    std::string checkpoint{};                   ///< JSON that its handler has stored; empty: none
    std::optional<job_progress> progress{};     ///< how far it was when its handler last told
    std::map<std::string, std::string> steps{}; ///< JSON that its handler's steps returned, by name
    std::map<std::string, std::vector<std::string>>
        signals{};                  ///< signals that came, as JSON, by name, oldest first
    std::vector<std::string> log{}; ///< the lines that its handler has logged
};

/// What the handler finds in its `job_context`.
struct job_conditions
{
    text id{};            ///< the job's id; empty: a new one
    text kind{};          ///< the kind of job, as `job_context::kind` returns it
    unsigned attempt = 1; ///< the number of the attempt; zero counts as 1

    /// What `job_context::async_checkpoint` finds, as JSON. Empty: nothing.
    text checkpoint{};

    /// The steps that earlier attempts have stored (`job_context::step`): name and value, as JSON.
    text_map steps{};

    /// Signals that have come (`job_context::signal`): name and value, as JSON.
    text_map signals{};

    /// What `job_context::details` finds, such as `managed_details`. Null: nothing.
    owned<std::shared_ptr<const job_details>> details{};
};

/// A run of a job that has ended.
struct ended_run
{
    std::string id;       ///< of the job
    std::string kind;     ///< of the job
    unsigned attempt = 1; ///< 1 for the first run

    /// The outcome that is stored: what the handler returned, or what its exception means according to
    /// `handle_options`. A retry has the delay of the back-off; a retry beyond `max_attempts` is a failure.
    outcome result;

    /// The effects that are carried out with the outcome, as the handler has handed them over (`job_context::effects`).
    /// Jobs that are pushed to queues in memory are in these; nothing becomes of commands and of jobs for Redis.
    std::vector<effect> effects{};

    /// What the handler returned, as a C++ type. Throws if it returned nothing, or something else.
    template<class T>
    T value() const
    {
        if (result.value() == nullptr)
            throw system_error{errc::no_result};
        return detail::decode_or_throw<T>(result.value()->text);
    }
};

/// A queue in memory, of jobs as JSON text; see `memory_queue` for C++ types. Copies are the same queue.
class raw_memory_queue
{
public:
    /// What a worker's handler receives.
    using job_type = raw_json;
    /// How a job is pushed.
    using push_options_type = push_options;
    /// Its jobs may have kinds: see `handlers_by_kind`.
    static constexpr bool has_kinds = true;

    /// An empty queue, with a clock of its own unless one is given.
    explicit raw_memory_queue(std::string name = "memory", manual_clock time = {});

    /// The queue's name.
    const std::string& name() const noexcept;
    /// The clock of delays, back-off and leases.
    const manual_clock& time() const noexcept;

    /// Pushes a job and returns its id. Delays are counted by `time()`.
    ///
    /// @throws system_error  `errc::not_serializable` if the text is not JSON.
    std::string push(const raw_json& job, const push_options& options = {});

    /// The same with what the handler finds in its context, such as the kind of job.
    std::string push(const raw_json& job, const job_conditions& conditions);

    /// A push that takes place when a job is acknowledged: `context.effects().push(queue, job, options)` calls this.
    effect push_effect(const raw_json& job, const push_options& options = {}) const;

    /// Sends a signal to a job that waits, is scheduled or runs, as `managed_client::async_signal` does. One that sleeps
    /// for it may run at once. The bounds of a managed queue do not hold here.
    ///
    /// @return  `errc::job_ended` if the job has ended, `errc::job_not_found` if there never was one of this id
    /// @throws system_error  `errc::not_serializable` if the value is not JSON.
    result<void> signal(std::string_view id, std::string_view name, const raw_json& value);

    /// All jobs that were pushed, in this order, whatever became of them.
    const std::vector<stored_job>& pushed() const noexcept;

    /// The waiting jobs, in the order in which they will run.
    std::vector<stored_job> waiting() const;
    /// The jobs that are not due yet, the next one first.
    std::vector<stored_job> scheduled() const;
    /// The jobs that are leased to a worker.
    std::vector<stored_job> running() const;
    /// The jobs that were given up, the oldest first.
    const std::vector<stored_job>& failed() const noexcept;
    /// The jobs that did not decode, the oldest first.
    const std::vector<stored_job>& broken() const noexcept;

    /// The runs that have ended, in this order.
    const std::vector<ended_run>& ended() const noexcept;

    /// Ends the leases of all running jobs, as if another worker had them: their handlers lose their lease, and the
    /// jobs run again.
    void take_away_running();

    /// The queue as a worker sees it. `worker::handle` calls it.
    std::unique_ptr<job_source> make_source();

private:
    friend class detail::memory_store;

    std::shared_ptr<detail::memory_store> store_;
};

/// What `memory_queue` and `memory_managed_queue` have in common: the queue of JSON texts that they are made of.
class queue_in_memory
{
public:
    /// Its jobs may have kinds: see `handlers_by_kind`.
    static constexpr bool has_kinds = true;

    /// The queue's name.
    const std::string& name() const noexcept { return raw_.name(); }
    /// The clock of delays, back-off and leases.
    const manual_clock& time() const noexcept { return raw_.time(); }

    /// The same queue of JSON texts, which shows waiting, failed and other jobs.
    raw_memory_queue& raw() noexcept { return raw_; }
    /// The same queue of JSON texts.
    const raw_memory_queue& raw() const noexcept { return raw_; }

    /// Sends a signal to a job, as `managed_client::async_signal` does: see `raw_memory_queue::signal`.
    template<class Value>
    result<void> signal(std::string_view id, std::string_view name, const Value& value)
    {
        return raw_.signal(id, name, raw_json{encode(value).value()});
    }

    /// The queue as a worker sees it. `worker::handle` calls it.
    std::unique_ptr<job_source> make_source() { return raw_.make_source(); }

protected:
    /// Made by the queues that programs push to.
    queue_in_memory(std::string name, manual_clock time) : raw_{std::move(name), std::move(time)} {}

private:
    raw_memory_queue raw_;
};

/// A queue of `Job`s in memory, in place of a `list_queue<Job>`: it has `async_push` and `async_push_many`, and
/// `worker::handle` takes it. Copies are the same queue. In place of a `managed_queue`, see `memory_managed_queue`.
template<class Job>
class memory_queue : public queue_in_memory
{
    static_assert(is_job<Job>, COWORKER_JOB_IS_NOT_DESCRIBED);

public:
    /// What a worker's handler receives.
    using job_type = Job;
    /// How a job is pushed.
    using push_options_type = push_options;

    /// An empty queue, with a clock of its own unless one is given.
    explicit memory_queue(std::string name = "memory", manual_clock time = {})
        : queue_in_memory{std::move(name), std::move(time)}
    {}

    /// The same queue, for code that stores what it pushes as codecs say: what is in memory is plain.
    memory_queue with(const payload_codecs&) const { return *this; }
    /// The same queue, for code that asks for confirmed pushes: all of them are.
    memory_queue with(const durability&) const { return *this; }

    /// Pushes a job and returns its id.
    ///
    /// @throws system_error  `errc::not_serializable`.
    std::string push(const Job& job, const push_options& options = {})
    {
        return raw().push(raw_json{encode(job).value()}, options);
    }

    /// A push that takes place when a job is acknowledged: `context.effects().push(queue, job, options)` calls this.
    effect push_effect(const Job& job, const push_options& options = {}) const
    {
        return raw().push_effect(raw_json{encode(job).value()}, options);
    }

    /// Pushes a job, as `list_queue::async_push` does. Completes with `void(error_code, std::string id)`, as if
    /// posted to the handler's executor. It cannot be cancelled.
    template<class Token = asio::deferred_t>
    auto async_push(const Job& job, const push_options& options = {}, Token&& token = asio::deferred_t{})
    {
        return detail::complete_with<std::string>(std::forward<Token>(token),
                                                  [&] { return push(job, options); });
    }

    /// The same with default options.
    template<detail::token_for<void(error_code, std::string)> Token>
    auto async_push(const Job& job, Token&& token)
    {
        return async_push(job, push_options{}, std::forward<Token>(token));
    }

#ifdef COWORKER_COMPILER_DESTROYS_AGGREGATES_TWICE
    // As in `list_queue`.
    template<class Token = asio::deferred_t>
    auto async_push(Job&& job, const push_options& options = {},
                    Token&& token = asio::deferred_t{}) requires(detail::destroyed_twice<Job>)
    {
        return detail::complete_with<std::string, Job>(std::forward<Token>(token),
                                                       [&] { return push(job, options); });
    }
    template<detail::token_for<void(error_code, std::string)> Token>
    auto async_push(Job&& job, Token&& token) requires(detail::destroyed_twice<Job>)
    {
        return async_push(std::move(job), push_options{}, std::forward<Token>(token));
    }
#endif

    /// Pushes many jobs, as `list_queue::async_push_many` does: none of them if one is refused. Completes with
    /// `void(error_code, std::vector<std::string>)`, their ids in order, as if posted to the handler's executor. It
    /// cannot be cancelled.
    ///
    /// @param jobs  any range of `Job`
    /// @param options  for all of the jobs; an `id` is refused with `errc::invalid_option`
    /// @param token  the completion token
    template<class Range, class Token = asio::deferred_t>
    auto async_push_many(Range&& jobs, const push_options& options = {}, Token&& token = asio::deferred_t{})
    {
        return detail::complete_with<std::vector<std::string>, Range>(std::forward<Token>(token), [&] {
            if (options.id)
                throw explained_error{errc::invalid_option, "one id cannot be given to many jobs"};
            std::vector<raw_json> texts;
            for (const Job& job : jobs)
                texts.emplace_back(encode(job).value());
            std::vector<std::string> ids;
            for (const auto& text : texts)
                ids.push_back(raw().push(text, options));
            return ids;
        });
    }

    /// The same with default options.
    template<class Range, detail::token_for<void(error_code, std::vector<std::string>)> Token>
    auto async_push_many(Range&& jobs, Token&& token)
    {
        return async_push_many(std::forward<Range>(jobs), push_options{}, std::forward<Token>(token));
    }

    /// All jobs that were pushed, in this order, as handlers receive them.
    /// @throws system_error  A job that was pushed to `raw()` does not decode.
    std::vector<Job> pushed() const
    {
        std::vector<Job> jobs;
        for (const auto& each : raw().pushed())
            jobs.push_back(decode<Job>(each.job.text).value());
        return jobs;
    }
};

} // namespace testing
} // namespace coworker
