// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/codec.hpp"
#include "coworker/detail/single_push.hpp"
#include "coworker/job.hpp"
#include "coworker/job_effects.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

class durability;
class job_source;
class payload_codecs;

/// How a list queue is kept. Programs that share a queue should use the same values.
struct list_queue_options
{
    /// The largest job, in bytes of JSON, that `async_push` accepts. Zero: no limit but Redis' 512 MB.
    ///
    /// A worker runs jobs up to this size, and at least up to 24 MiB, since other programs may push larger ones. Larger
    /// jobs become broken jobs when it is their turn, because Redis would close the connection that they are sent on.
    /// With more than 24 MiB, or zero, also raise Redis' setting `client-output-buffer-limit` for `pubsub`, which is
    /// 32 MB.
    std::size_t max_job_size = 8 * 1024 * 1024;

    /// How many failed jobs are kept; the oldest are dropped. At least 1. hworker keeps 1000, too.
    std::size_t failed_limit = 1000;

    /// How many broken jobs are kept; the oldest beyond that are dropped. Zero, the default: all, as hworker keeps them.
    /// A job is also broken when a worker knows another version of its type, so what is dropped here may be a good job.
    std::size_t broken_limit = 0;

    /// How many jobs may wait, so that one more that could run at once is refused with `errc::queue_full`. Redis decides
    /// it in the step that pushes. With partitions, each of them may have as many. Zero: any number.
    ///
    /// It holds for what this handle pushes: hworker's producers, effects and handles without it push in any case. Jobs
    /// that come back (retries, delayed jobs that are due, those of dead workers) are never refused.
    std::uint64_t max_waiting = 0;

    /// A push to a full queue waits until there is room, instead of failing. It asks again after 50 ms, then less often,
    /// once a second at last. It ends with its cancellation: `asio::cancel_after` gives it a time limit. Of many jobs,
    /// the first ones are pushed as soon as there is room for them.
    bool waits_for_room = false;

    /// Into how many partitions the queue is divided, so that it can be on several nodes of a Redis Cluster. At
    /// most 1024. Zero: it is not divided. In a Redis Cluster, a name without braces means that it has to be
    /// divided. Then zero stands for as many as other programs have asked for. If none has, a push fails with
    /// `errc::invalid_queue_name`.
    ///
    /// A partition is a complete list queue: those of `emails` are called `{emails:0}`, `{emails:1}` and so on. The
    /// name must not contain a brace. Redis stores the number, which never decreases: the first push, `async_sizes` or
    /// worker with a larger one raises it. Workers and monitors use the larger one at once, producers within half a
    /// minute. A program that asks for fewer uses the stored number and logs a warning.
    ///
    /// Workers of any program take part, whatever they ask for. On one server they fetch also from the queue that is
    /// not divided, so that producers which know nothing of partitions can go on.
    unsigned partitions = 0;
};

/// The number of jobs in each state at one moment, and totals since the queue was made.
struct list_queue_sizes
{
    std::uint64_t waiting = 0;   ///< may run now, including those that are `overdue`
    std::uint64_t running = 0;   ///< leased to workers
    std::uint64_t scheduled = 0; ///< delayed, or waiting for a retry, and not due yet
    /// Scheduled jobs that are due and that no worker has fetched yet. If this stays above a few, no worker
    /// fetches from this queue.
    std::uint64_t overdue = 0;
    std::uint64_t failed = 0; ///< given up
    std::uint64_t broken = 0; ///< payloads that no worker can run
    bool paused = false;      ///< coworker's workers fetch nothing; see `async_pause`
    bool notices = false;     ///< notices are written about it; see `inspector::async_set_notices`
    /// Workers of coworker's that fetch from this queue. Those without a connection of their own, such as those
    /// over HTTP, count if they were seen within five minutes. Peers are not counted.
    std::uint64_t workers = 0;
    /// The latency: for how long the next job could have run already, by the server's clock. It counts from when the
    /// job was queued, became due, or came back from a worker or from the failed or broken jobs. If jobs are overdue,
    /// it counts from the earliest of these times. The id of a job may not tell when it was queued. Then it counts
    /// from when `async_sizes` first saw it as the next: it may have waited for longer. Empty: no job waits.
    std::optional<std::chrono::milliseconds> oldest_waiting_age;

    // Counted by coworker's workers; peers count nothing.
    std::uint64_t total_succeeded = 0; ///< jobs done since the queue was made
    std::uint64_t total_retried = 0;   ///< retries since the queue was made
    std::uint64_t total_failed = 0;    ///< jobs given up since the queue was made
    std::uint64_t total_broken = 0;    ///< jobs found to be broken since the queue was made
    std::uint64_t total_recovered = 0; ///< jobs that monitors returned since the queue was made
    /// Failed jobs that were dropped since the queue was made: there were more than `list_queue_options::failed_limit`.
    std::uint64_t total_dropped = 0;
    /// Broken jobs that were dropped since the queue was made: there were more than `list_queue_options::broken_limit`.
    std::uint64_t total_dropped_broken = 0;
};

/// A queue in hworker's layout, of jobs as JSON text. Any program that can `LPUSH` can be a producer.
///
/// Objects are cheap handles, which may be copied and moved. Several of the same name are the same queue. An
/// `inspector` shows its jobs and acts on them.
///
/// @par Errors  The error code is `errc::stopped`, `errc::unavailable`, `errc::in_doubt`, `errc::timed_out`,
///   `errc::command_refused`, `errc::read_only_server`, `errc::wrong_key_type`, or one of `client::async_connect`.
/// @par Cancellation  As completion.hpp says: operations that read obey terminal, partial and total cancellation, those
///   that change something obey terminal and partial.
/// @par Lifetime  An operation owns what it needs once it has been called: the queue, the job and the options may be
///   gone. When the client is destroyed, it fails with `errc::stopped`.
/// @par Thread safety  As `client`.
class raw_list_queue
{
public:
    /// What a worker's handler receives.
    using job_type = raw_json;
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// Sends nothing: the queue comes into being with its first job.
    ///
    /// @param redis  the client whose connection the queue uses
    /// @param name  1 to 512 bytes (with partitions 1 to 500, and no brace). With a part in braces, `{mail}`, all keys
    ///   of the queue share one Redis Cluster slot.
    /// @param options  limits of the queue
    /// @throws system_error  `errc::invalid_queue_name`, or `errc::invalid_option`.
    raw_list_queue(const client& redis, std::string name, list_queue_options options = {});

    /// The queue's name.
    const std::string& name() const noexcept;
    /// The options that the constructor was given.
    const list_queue_options& options() const noexcept;
    /// The client's executor.
    executor_type get_executor() const;

    // --- push ---

    /// How a job is pushed.
    using push_options_type = push_options;

    /// A handle of the same queue that stores what it pushes as `codecs` say. See payload_codec.hpp.
    ///
    /// `max_job_size` holds for the job before and after it is encoded.
    raw_list_queue with(const payload_codecs& codecs) const;

    /// A handle of the same queue whose pushes complete when they are confirmed to be as durable as `wanted` says.
    ///
    /// What is queued but not confirmed in time fails with `errc::unconfirmed`; of many jobs with options of their own,
    /// the results say it (`push_result::unconfirmed`). The client makes a connection for
    /// each `durability`, with the first push, and such pushes go over it. So their order among other pushes is not
    /// kept. One confirmation at a time is under way there, for all pushes since the last one: a push may wait
    /// for two.
    ///
    /// In a Redis Cluster there is such a connection to each node, which confirms what it has. Of a queue with partitions,
    /// jobs of some may be confirmed, and those of others not; then a push of many fails with `errc::unconfirmed`.
    raw_list_queue with(const durability& wanted) const;

    /// Pushes a job. Once this has completed, the job stays in Redis until it is acknowledged. Completes with
    /// `void(error_code, std::string id)`: the job's id, also if `push_options::unique_for` left nothing to do.
    ///
    /// @par Errors  Before anything is sent: `errc::not_serializable`, `errc::job_too_large`, `errc::invalid_job_id`,
    ///   `errc::invalid_option`. After `errc::in_doubt`, `errc::timed_out` or a cancellation it is in doubt whether
    ///   the job was queued: if it is pushed again, it may run twice.
    template<class Token = default_token>
    auto async_push_json(raw_json job, push_options options = {}, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return push_json(std::move(job), std::move(options)); });
    }
    /// The same with default options.
    template<detail::token_for<void(error_code, std::string)> Token>
    auto async_push_json(raw_json job, Token&& token) const
    {
        return async_push_json(std::move(job), push_options{}, std::forward<Token>(token));
    }

    /// Pushes many jobs, in order, thousands in a round trip. Completes with their ids, in the same order:
    /// `void(error_code, std::vector<std::string>)`.
    ///
    /// All jobs are checked before any is sent. After an error of Redis or a cancellation it is in doubt which jobs
    /// were queued: a first part of them, in order. Partitions get equal shares of the jobs, each in one batch; then
    /// this holds for each share.
    /// @param jobs  the jobs, as JSON text
    /// @param options  for all of the jobs; an `id` is refused with `errc::invalid_option`
    /// @param token  the completion token
    template<class Token = default_token>
    auto async_push_many_json(std::vector<raw_json> jobs, push_options options = {},
                              Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return push_many_json(std::move(jobs), std::move(options)); });
    }
    /// The same with default options.
    template<detail::token_for<void(error_code, std::vector<std::string>)> Token>
    auto async_push_many_json(std::vector<raw_json> jobs, Token&& token) const
    {
        return async_push_many_json(std::move(jobs), push_options{}, std::forward<Token>(token));
    }

    /// Pushes jobs with options of their own, in order, and reports for each whether it was pushed now or its id was
    /// remembered (`push_options::unique_for`). Completes with `void(error_code, std::vector<push_result>)`.
    ///
    /// All jobs are checked before any is sent. After an error of Redis or a cancellation it is in doubt which jobs
    /// were queued: a first part of them, in order. If all have `unique_for`, the call can be repeated.
    ///
    /// @par Cost  If all jobs may run now and none has `unique_for`: as `async_push_many_json`. Otherwise one script
    ///   per 128 jobs or 4 MiB.
    template<class Token = default_token>
    auto async_push_each_json(std::vector<raw_push> jobs, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return push_each_json(std::move(jobs)); });
    }

    /// A push that is carried out in the step that acknowledges a job: `context.effects().push(queue, job, options)`
    /// calls this.
    ///
    /// @throws system_error  what `async_push_json` refuses before it sends anything; `errc::not_supported` for a
    ///   delay, a time and `unique_for`.
    effect push_effect(raw_json job, push_options options = {}) const
    {
        return encoded_push_effect(encode(job).value(), std::move(options));
    }

    // --- look ---

    /// Counts the jobs in each state. Completes with `void(error_code, list_queue_sizes)`.
    ///
    /// @par Cost  One script, O(log n) of the scheduled jobs; if workers are registered, also the list of connections.
    template<class Token = default_token>
    auto async_sizes(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [this] { return sizes(); });
    }

    // --- act ---

    /// Pauses the queue: coworker's workers fetch nothing from it until `async_resume`; running jobs go on. Peers
    /// ignore the pause. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_pause(Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [this] { return pause(); });
    }
    /// Ends what `async_pause` began. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_resume(Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [this] { return resume(); });
    }

    /// Deletes the queue and all of its jobs, in one step (or each partition in one step). The outcomes of jobs that
    /// run are dropped. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_destroy(Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [this] { return destroy(); });
    }

    /// The queue as a worker sees it. `worker::handle` and `monitor::watch` call it.
    std::unique_ptr<job_source> make_source() const;

private:
    friend class list_schedules;
    struct state;
    struct partition_set;

protected:
    /// Pushes a job whose JSON is known to be valid.
    detail::single_push push_encoded(std::string job, push_options options) const;
    /// The same as an effect.
    effect encoded_push_effect(std::string job, push_options options) const;
    /// Pushes jobs whose JSON is known to be valid.
    asio::awaitable<std::vector<std::string>> push_encoded(std::vector<std::string> jobs,
                                                           push_options options) const;

private:
    detail::single_push push_json(raw_json job, push_options options) const;
    asio::awaitable<std::vector<std::string>> push_many_json(std::vector<raw_json> jobs,
                                                             push_options options) const;
    asio::awaitable<std::vector<push_result>> push_each_json(std::vector<raw_push> jobs) const;
    asio::awaitable<list_queue_sizes> sizes() const;
    asio::awaitable<void> pause() const;
    asio::awaitable<void> resume() const;
    asio::awaitable<void> destroy() const;

    std::shared_ptr<state> state_; ///< operations keep it: they may begin when the queue is gone
};

/// A queue in hworker's layout, of jobs of one C++ type.
///
///     coworker::list_queue<email> emails{redis, "emails"};
///     email welcome{"ada@example.com", "Welcome"};
///     co_await emails.async_push(welcome);
///
/// `Job` is an `is_job`: see codec.hpp. Errors, cancellation, lifetime and thread safety are those of `raw_list_queue`.
template<class Job>
class list_queue : public raw_list_queue
{
public:
    /// What a worker's handler receives.
    using job_type = Job;
    using raw_list_queue::raw_list_queue;

    /// A handle of the same queue that stores what it pushes as `codecs` say, as `raw_list_queue::with` makes one.
    list_queue with(const payload_codecs& codecs) const
    {
        auto copy = *this;
        static_cast<raw_list_queue&>(copy) = raw_list_queue::with(codecs);
        return copy;
    }
    /// A handle of the same queue whose pushes wait for what `wanted` says, as `raw_list_queue::with` makes one.
    list_queue with(const durability& wanted) const
    {
        auto copy = *this;
        static_cast<raw_list_queue&>(copy) = raw_list_queue::with(wanted);
        return copy;
    }

    /// Pushes a job, as `async_push_json` does. The job is encoded by the call. Completes with
    /// `void(error_code, std::string id)`.
    ///
    /// @note  With g++ 12, `async_push({…})` and `async_push(job{…})` do not compile for aggregates that need
    ///   destruction if `co_await` may follow. That compiler destroys such a temporary twice in a `co_await`
    ///   expression. Give the job a name first. Newer versions and clang are free of it.
    template<class Token = default_token>
    auto async_push(const Job& job, push_options options = {}, Token&& token = default_token{}) const
    {
        const auto push = [&] { return this->push_encoded(encode(job).value(), std::move(options)); };
        return detail::start_change(*this, std::forward<Token>(token), push);
    }
    /// The same with default options.
    template<detail::token_for<void(error_code, std::string)> Token>
    auto async_push(const Job& job, Token&& token) const
    {
        return async_push(job, push_options{}, std::forward<Token>(token));
    }

#ifdef COWORKER_COMPILER_DESTROYS_AGGREGATES_TWICE
    // Inside of a `co_await` expression this compiler would miscompile `async_push({…})` and `async_push(job{…})`.
    template<class Token = default_token>
    auto async_push(Job&& job, push_options options = {}, Token&& token = default_token{}) const
        requires(detail::destroyed_twice<Job>)
    {
        const auto push = [&] { return this->push_encoded(encode(job).value(), std::move(options)); };
        return detail::start_change<Job>(*this, std::forward<Token>(token), push);
    }
    template<detail::token_for<void(error_code, std::string)> Token>
    auto async_push(Job&& job, Token&& token) const requires(detail::destroyed_twice<Job>)
    {
        return async_push(std::move(job), push_options{}, std::forward<Token>(token));
    }
#endif

    /// A push that is carried out in the step that acknowledges a job, as `raw_list_queue::push_effect` makes it.
    effect push_effect(const Job& job, push_options options = {}) const
    {
        return this->encoded_push_effect(encode(job).value(), std::move(options));
    }

    /// Pushes many jobs, as `async_push_many_json` does. The jobs are encoded by the call. Completes with
    /// `void(error_code, std::vector<std::string>)`: their ids, in order.
    ///
    /// @param jobs  any range of `Job`
    /// @param options  for all of the jobs; an `id` is refused with `errc::invalid_option`
    /// @param token  the completion token
    template<class Range, class Token = default_token>
    auto async_push_many(Range&& jobs, push_options options = {}, Token&& token = default_token{}) const
    {
        const auto push = [&] { return this->push_encoded(encode_all(jobs), std::move(options)); };
        return detail::start_change<Range>(*this, std::forward<Token>(token), push);
    }
    /// The same with default options.
    template<class Range, detail::token_for<void(error_code, std::vector<std::string>)> Token>
    auto async_push_many(Range&& jobs, Token&& token) const
    {
        return async_push_many(std::forward<Range>(jobs), push_options{}, std::forward<Token>(token));
    }

private:
    template<class Range>
    static std::vector<std::string> encode_all(const Range& jobs)
    {
        std::vector<std::string> texts;
        if constexpr (requires { std::size(jobs); })
            texts.reserve(std::size(jobs));
        for (const Job& job : jobs)
            texts.push_back(encode(job).value());
        return texts;
    }
};

} // namespace coworker
