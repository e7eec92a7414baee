// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/completion.hpp"
#include "coworker/inspect/queue_ref.hpp"
#include "coworker/job_effects.hpp"
#include "coworker/job_source.hpp"
#include "coworker/option_duration.hpp"
#include "coworker/option_list.hpp"
#include "coworker/outcome.hpp"
#include "coworker/text.hpp"
#include "coworker/worker.hpp"

#include <chrono>
#include <concepts>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coworker {

namespace detail {
class taker_state;
}

/// How a `job_taker` lends jobs.
struct job_taker_options
{
    /// The prefix of the managed queues; see `managed_options::prefix`. Not empty.
    text managed_prefix = "ql:";

    /// Lease duration of jobs of list queues; see `handle_options::lease`. Use the same value as the workers and
    /// monitors of these queues. At least 100 ms. Managed queues ignore this: their lease is the setting `heartbeat` in
    /// Redis.
    option_duration lease{120'000};

    /// How often a job of a list queue is run at most; see `handle_options::max_attempts`. Managed queues ignore this:
    /// each job has its own `retries`.
    unsigned max_attempts = 25;

    /// How many workers a job of a managed queue may take with it: `handle_options::max_crashes`.
    unsigned max_crashes = 3;

    /// How long a job waits before a retry for which no delay is given, if it has no back-off of its own.
    owned<coworker::backoff> backoff = exponential_backoff{};
};

/// A kind of jobs that is taken.
struct taken_kind
{
    text kind; ///< the kind
    option_list<unsigned>
        versions{}; ///< of its jobs (`managed_push_options::version`). Default: 1, which jobs without one have

    /// A kind, and versions of its jobs.
    template<std::convertible_to<std::string_view> Text>
    taken_kind(const Text& name, option_list<unsigned> which = {}) // NOLINT: "Mail" is a kind
        : kind{std::string_view{name}}, versions{std::move(which)}
    {}
};

/// What to take.
struct take_options
{
    /// Who takes the jobs: a name for people, of 1 to 256 bytes of UTF-8. It counts as a worker of the queue for
    /// five minutes after it was seen. It is seen when it takes jobs and when it renews a lease. In managed queues
    /// it is a part of the lease. It must not be the name of a client that a `coworker::worker` uses.
    text worker = "remote";

    /// How many jobs, at most. From 1 to 128.
    std::size_t count = 1;

    /// How long to wait for a job if there is none. Zero: not at all.
    option_duration wait{0};

    /// The kinds of jobs to take, 256 at most, each of 1 to 256 bytes of UTF-8. Jobs of other kinds and versions are left
    /// waiting, as by a worker of `handlers_by_kind`. Default: all. For managed queues only.
    option_list<taken_kind> kinds{};

    /// Whether to read the checkpoint of each job and its signals, which costs two more requests for each, and to allow
    /// `job_taker::async_save`. For managed queues only.
    bool checkpoints = false;

    /// Whether to read the steps that earlier attempts have stored, which costs one more request for each job that has
    /// any. For managed queues only.
    bool steps = false;
};

/// A job that was taken with a `job_taker`.
struct taken_job
{
    std::string id;       ///< the job's id
    std::string kind;     ///< the kind of job; empty for jobs of list queues
    std::string data;     ///< its JSON text; in a managed queue a peer may have stored what is not JSON
    unsigned attempt = 1; ///< the number of this attempt; 1 for the first run
    std::optional<unsigned> retries_left{};       ///< in managed queues: how often it may still be retried
    std::chrono::milliseconds lease{0};           ///< how long the lease lasts from when the job was taken
    std::shared_ptr<const job_details> details{}; ///< `managed_details` in managed queues; else null
    /// Where an earlier attempt stopped, as JSON text: what it stored with `async_save` or `job_context::async_save`.
    /// Empty: nothing, or it was not asked for (`take_options::checkpoints`).
    std::string checkpoint{};
    /// What earlier attempts stored with `async_store_steps` or `job_context::step`: names and values, as JSON text. Empty:
    /// nothing, or it was not asked for (`take_options::steps`).
    std::map<std::string, std::string> steps{};
    job_signals
        signals{};     ///< those that have come, and what it has waited for; asked for as the checkpoint is
    std::string token; ///< any bytes: what `async_renew` and `async_acknowledge` need
};

/// A lease that was renewed.
struct renewed_lease
{
    std::string token;                  ///< replaces the one that was given
    std::chrono::milliseconds lease{0}; ///< how long it lasts, from now
};

/// How far a job is that was taken.
struct told_progress
{
    text token;          ///< the latest one
    double fraction = 0; ///< of the work; below 0 counts as 0, above 1 as 1
    text message = "";   ///< for people, such as "page 12 of 30"; of more than 512 bytes the first are kept
};

/// What a job logs that was taken.
struct told_log
{
    text token;      ///< the latest one
    text_list lines; ///< for people, oldest first; 100 at most, and of each the first 1000 bytes are kept
};

/// Where a later attempt of a job that was taken may go on.
struct saved_checkpoint
{
    text token;      ///< the latest one
    text checkpoint; ///< JSON text of at most 1 MiB, but not null
};

/// A step of a job that was taken, and has been carried out.
struct done_step
{
    text token;          ///< the latest one
    text name;           ///< of the step: 1 to 256 bytes of UTF-8
    text value = "null"; ///< JSON text
};

/// The end of a job that was taken.
struct ended_job
{
    text token;               ///< the latest one
    coworker::outcome result; ///< how the run ended

    /// What is to be carried out in the step that acknowledges the job, as in `job_context::effects`. It is carried out
    /// if the job succeeded or is forwarded, and its lease still holds. `async_acknowledge` checks what
    /// `job_context::effects` refuses.
    job_effects effects{};

    /// A job by its token, and how its run ended.
    ended_job(std::string_view latest_token, coworker::outcome how)
        : token{latest_token}, result{std::move(how)}
    {}
};

/// A job that was acknowledged.
struct acknowledged_job
{
    /// Why the job has failed, whatever its outcome: one of its effects could not be carried out, so that none of them
    /// was. Empty: it has ended as its outcome says.
    std::string failure{};
};

/// Takes jobs of both kinds of queue and leaves running them to somebody else: to another process, in any language. The
/// HTTP gateway is built on it.
///
/// A job is leased to whoever has its token. A job taker keeps no state of its jobs, so another one, in another process,
/// accepts the token as well. If it is neither renewed nor acknowledged in time, the lease ends and the job
/// runs again. A token of a lease that has ended is refused, also if the same worker has taken the job again.
///
/// The token of a job of a list queue contains the job.
///
/// While a job taker exists, it watches the list queues from which it was asked to take, as a `monitor` does. So leases
/// end there even if no worker of coworker's runs.
///
/// Calls wait for Redis for `client_options::command_timeout`. What was not answered in time may have been carried out: jobs
/// that were given out so run again when their leases end.
///
/// @par Errors  Those of the connection (see `errc`), `errc::invalid_queue_name`, and `errc::invalid_option`.
/// @par Cancellation  As completion.hpp says. A cancelled `async_take` releases what it has taken.
/// @par Lifetime  Destroying a job taker is `stop`. When the client is destroyed, operations fail with `errc::stopped`.
/// @par Thread safety  As `client`.
class job_taker
{
public:
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// @throws system_error  `errc::invalid_option`.
    explicit job_taker(const client& redis, job_taker_options options = {});
    /// As `stop`.
    ~job_taker();
    /// Takes over another one, which can only be destroyed or assigned to then.
    job_taker(job_taker&&) noexcept;
    /// The same; the one that was here is stopped.
    job_taker& operator=(job_taker&&) noexcept;

    /// The client's executor.
    executor_type get_executor() const;

    /// Takes up to `take_options::count` jobs and leases them. If there is none, waits until a job is pushed or becomes
    /// due: Redis says so. Those who wait for the same queue get jobs in the order in which they came. Completes with
    /// `void(error_code, std::vector<taken_job>)`: no jobs when the time is over, or after `stop`.
    ///
    /// Jobs that do not decode, and jobs of list queues that have used up their attempts, fail and are not returned.
    ///
    /// From a list queue that is divided into partitions, jobs come from one of them: the first that has any. Each
    /// call begins with another one, and passes over those whose node is away. A new number of partitions is
    /// noticed within 30 s.
    ///
    /// @par Cost  One script; two if it has to wait, and two more when there is a job. For list queues one more every
    ///   30 s. In a divided queue, one for each partition without jobs, too.
    template<class Token = default_token>
    auto async_take(queue_ref queue, take_options options = {}, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return take(std::move(queue), std::move(options)); });
    }
    /// The same with default options.
    template<detail::token_for<void(error_code, std::vector<taken_job>)> Token>
    auto async_take(queue_ref queue, Token&& token) const
    {
        return async_take(std::move(queue), take_options{}, std::forward<Token>(token));
    }

    /// Renews leases: each starts again from now. Completes with
    /// `void(error_code, std::vector<result<renewed_lease>>)`: for each token, in order, what replaces it, or
    /// `errc::lease_lost`. If a call fails in doubt, the old tokens of a list queue may have become invalid. Those
    /// jobs run again when their leases end.
    ///
    /// @par Cost  One script per worker and 128 jobs.
    template<class Token = default_token>
    auto async_renew(queue_ref queue, text_list tokens, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return renew(std::move(queue), std::move(tokens)); });
    }

    /// Tells how far jobs are; `managed_client::async_status`, the inspector and the dashboard show it. Renews nothing.
    /// Each call writes to Redis, so make one a second at most. For managed queues: a list queue keeps no progress.
    /// Completes with `void(error_code, std::vector<result<void>>)`: for each job, in order, success or
    /// `errc::lease_lost`.
    ///
    /// @par Errors  `errc::invalid_option` for a list queue, too.
    /// @par Cost  One script per worker and 128 jobs.
    template<class Token = default_token>
    auto async_tell_progress(queue_ref queue, std::vector<told_progress> jobs,
                             Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return tell_progress(std::move(queue), std::move(jobs)); });
    }

    /// Logs lines of jobs, as `job_context::log` does. Renews nothing. Completes with
    /// `void(error_code, std::vector<result<void>>)`: for each job, in order, success or `errc::lease_lost`, and then
    /// nothing was stored of it.
    ///
    /// @par Errors  Nothing is stored then.
    ///   - `errc::invalid_option`: for a list queue, or if there are more than 100 lines of a job
    ///   - those of the connection
    /// @par Cost  One script per worker and 128 jobs.
    template<class Token = default_token>
    auto async_log(queue_ref queue, std::vector<told_log> jobs, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return log(std::move(queue), std::move(jobs)); });
    }

    /// Stores where later attempts of jobs may go on, each in place of what was stored before. It has been stored when
    /// this completes. The next attempt finds it in `taken_job::checkpoint`, or with `job_context::async_checkpoint`,
    /// whoever runs it; it goes when the job succeeds. Renews nothing. For jobs of managed queues that were taken with
    /// `take_options::checkpoints`. Completes with `void(error_code, std::vector<result<void>>)`: for each job, in
    /// order, success or `errc::lease_lost`, and then nothing was stored of it.
    ///
    /// @par Errors  Nothing is stored then.
    ///   - `errc::invalid_option`: for a list queue, or for a job that was taken without checkpoints
    ///   - `errc::invalid_option`: for a checkpoint that is not JSON, or is null
    ///   - `errc::job_too_large`: for a checkpoint of more than 1 MiB
    /// @par Cost  One script per worker and 128 jobs, or some megabytes.
    template<class Token = default_token>
    auto async_save(queue_ref queue, std::vector<saved_checkpoint> jobs,
                    Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return save(std::move(queue), std::move(jobs)); });
    }

    /// Stores the values of steps, so that no later attempt has to carry them out again. It finds them in
    /// `taken_job::steps`, or with `job_context::step`, whoever runs it. They go when the job succeeds or is forwarded.
    /// Renews nothing. Completes with `void(error_code, std::vector<result<void>>)`, for each step, in order:
    ///   - success, also if the step had this value before
    ///   - `errc::lease_lost`: nothing was stored
    ///   - `errc::not_unique`: the step has another value, which stays
    ///   - `errc::job_too_large`: the job would have more than 1,000 steps, or 1 MiB of names and values
    ///
    /// @par Errors  Nothing is stored then.
    ///   - `errc::invalid_option`: for a list queue, for a name that is none, for a value that is not JSON
    ///   - `errc::job_too_large`: for a value of more than 1 MiB
    /// @par Cost  One script per worker and 128 steps, or some megabytes.
    template<class Token = default_token>
    auto async_store_steps(queue_ref queue, std::vector<done_step> steps,
                           Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return store_steps(std::move(queue), std::move(steps)); });
    }

    /// Acknowledges jobs: each ends as its outcome says, by the rules that hold for what a handler returns. Completes
    /// with `void(error_code, std::vector<result<acknowledged_job>>)`: for each job, in order, success or
    /// `errc::lease_lost`; then none of its effects was carried out. It may be repeated after a failure; jobs that were
    /// acknowledged then count as lost.
    ///
    /// @par Errors  What `job_effects` and `job_context::effects` refuse, too: nothing is acknowledged then.
    /// @par Cost  One script per worker and 128 jobs.
    template<class Token = default_token>
    auto async_acknowledge(queue_ref queue, std::vector<ended_job> jobs,
                           Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return acknowledge(std::move(queue), std::move(jobs)); });
    }

    /// Ends all waiting: `async_take` returns no jobs, now and from now on. Jobs that were taken can be renewed and
    /// acknowledged. May be called from any thread.
    void stop();

private:
    asio::awaitable<std::vector<taken_job>> take(queue_ref queue, take_options options) const;
    asio::awaitable<std::vector<result<renewed_lease>>> renew(queue_ref queue, text_list tokens) const;
    asio::awaitable<std::vector<result<void>>> tell_progress(queue_ref queue,
                                                             std::vector<told_progress> jobs) const;
    asio::awaitable<std::vector<result<void>>> log(queue_ref queue, std::vector<told_log> jobs) const;
    asio::awaitable<std::vector<result<void>>> save(queue_ref queue,
                                                    std::vector<saved_checkpoint> jobs) const;
    asio::awaitable<std::vector<result<void>>> store_steps(queue_ref queue,
                                                           std::vector<done_step> steps) const;
    asio::awaitable<std::vector<result<acknowledged_job>>> acknowledge(queue_ref queue,
                                                                       std::vector<ended_job> jobs) const;

    std::shared_ptr<detail::taker_state> state_;
};

} // namespace coworker
