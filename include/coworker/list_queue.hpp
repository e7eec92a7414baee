#pragma once

#include "coworker/client.hpp"
#include "coworker/codec.hpp"
#include "coworker/job.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

class job_source;

/// How a list queue is kept. Programs that share a queue should agree on these.
struct list_queue_options
{
    /// The largest job, in bytes of JSON, that `async_push` accepts. Zero: no limit but Redis' 512 MB.
    ///
    /// A worker runs jobs up to this size, and at least up to 24 MiB: other programs may push larger ones than this one.
    /// What is larger goes to the broken record when it is its turn, with the reason, since Redis would close the
    /// connection over which it was sent. Beyond 24 MiB, and with zero, raise that limit of Redis as well:
    /// `client-output-buffer-limit` for `pubsub`, which is 32 MB.
    std::size_t max_job_size = 8 * 1024 * 1024;

    /// How many failed jobs are kept; older ones are dropped. 1 at least. hworker keeps 1000 too.
    std::size_t failed_limit = 1000;

    /// How many payloads that did not decode are kept. 1 at least.
    std::size_t broken_limit = 1000;
};

/// How many jobs are where, and what has been counted since the queue was made.
struct list_queue_sizes
{
    std::uint64_t waiting = 0; ///< could run now, `overdue` ones included
    std::uint64_t in_progress = 0;
    std::uint64_t scheduled = 0; ///< delayed, or waiting for a retry, and not due yet
    /// Jobs whose time has come and that no worker has looked for yet; more than a few for more than a moment
    /// means that no worker takes jobs.
    std::uint64_t overdue = 0;
    std::uint64_t failed = 0;
    std::uint64_t broken = 0;
    bool paused = false;
    /// coworker's workers that are connected and take jobs from this queue. Peers are not counted.
    std::uint64_t workers = 0;
    /// For how long the job that is next to run could have run, by the server's clock: since it was queued, was
    /// due, or came back (from a worker, or from the failed or broken jobs). If jobs are overdue, the longer of the
    /// two times. A job whose id does not tell when it was queued counts from when it was first seen to be next
    /// by `async_sizes`, so it may have waited for longer. Empty: nothing waits.
    std::optional<std::chrono::milliseconds> oldest_waiting_age;

    /// Counted by coworker's workers; peers count nothing.
    std::uint64_t total_succeeded = 0;
    std::uint64_t total_retried = 0;
    std::uint64_t total_failed = 0;
    std::uint64_t total_broken = 0;
    std::uint64_t total_recovered = 0;
};

/// A job as it stands in the queue. `payload` is its identity; pass it to the calls that act on one.
struct list_job
{
    std::string payload; ///< the bytes in Redis
    std::string id;      ///< empty if the payload does not decode
    std::string job;     ///< JSON text; empty if the payload does not decode
    /// Bytes of the payload in Redis. More than `payload` has: it is larger than a connection can carry, so only its
    /// beginning is here, and the calls that act on one job do not find it by that.
    std::size_t size = 0;
};

struct list_job_in_progress : list_job
{
    std::optional<timestamp> started; ///< empty: a peer wrote something unreadable
    std::string holder; ///< the worker's connection name in `CLIENT LIST`; empty: a peer, or gone
};

struct list_job_scheduled : list_job
{
    timestamp due{};
    std::string member; ///< identity in the scheduled set, which may hold equal payloads
};

struct list_job_failed : list_job
{
    std::string message;                ///< empty if a peer recorded it
    std::optional<timestamp> failed_at; ///< empty if a peer recorded it
    unsigned attempts = 0;              ///< 0 if a peer recorded it
};

struct list_job_broken : list_job
{
    std::optional<timestamp> found_at;
    std::string reason; ///< why no worker can run it; empty if a peer recorded it
};

/// A part of something that has no order: pass `next` to get the following part, until it is zero.
template<class T>
struct scan_page
{
    std::vector<T> items;
    std::uint64_t next = 0;
};

/// A queue in hworker's layout, of jobs as JSON text. Any program that can `LPUSH` can be a producer.
///
/// Objects are cheap handles, to be copied and moved; make as many of the same name as is convenient.
///
/// @par Errors  Where the answer can be no, it is a `result` with `errc::job_not_found`. The error code says what Redis
///   could not do: `errc::stopped`, `errc::unavailable`, `errc::unanswered`, `errc::timed_out`, `errc::command_refused`,
///   `errc::read_only_server`, `errc::wrong_key_type`, or what `client::async_connect` says.
/// @par Cancellation  What reads obeys terminal, partial and total cancellation. What writes obeys terminal and partial,
///   and may have been carried out by then, in parts if it takes several steps. The error is
///   `asio::error::operation_aborted`.
/// @par Lifetime  An operation owns what it needs when it has been called: the queue, the job and the options may be
///   gone. When the client is gone it fails with `errc::stopped`.
/// @par Thread safety  As `client`.
class raw_list_queue
{
public:
    /// What a worker's handler is given.
    using job_type = raw_json;
    using executor_type = asio::any_io_executor;

    /// @param name  1 to 512 bytes. With a part in braces, `{mail}`, all keys of the queue share one
    ///   Redis Cluster slot.
    /// @throws system_error  `errc::invalid_queue_name`, or `errc::invalid_option`.
    raw_list_queue(const client& redis, std::string name, list_queue_options options = {});

    const std::string& name() const noexcept;
    const list_queue_options& options() const noexcept;
    /// The client's executor.
    executor_type get_executor() const;

    // --- push ---

    /// Queues a job. Once this has completed, the job stays in Redis until it is acknowledged. Completes with
    /// `void(error_code, std::string id)`.
    ///
    /// @par Errors  Before anything is sent: `errc::not_serializable`, `errc::job_too_large`, `errc::invalid_job_id`,
    ///   `errc::invalid_option`. After `errc::unanswered`, `errc::timed_out` or a cancellation the job may or may not be
    ///   queued: pushing again may make it two.
    template<class Token = default_token>
    auto async_push_json(raw_json job, push_options options = {}, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt,
            [&] { return push_json(std::move(job), std::move(options)); }, std::forward<Token>(token));
    }
    template<asio::completion_token_for<void(error_code, std::string)> Token>
    auto async_push_json(raw_json job, Token&& token) const
    {
        return async_push_json(std::move(job), push_options{}, std::forward<Token>(token));
    }

    /// Queues many, thousands in a round trip, in order. Completes with their ids, in order:
    /// `void(error_code, std::vector<std::string>)`.
    ///
    /// All jobs are checked before any is sent. After an error of Redis or a cancellation a first part of the jobs
    /// is queued, and which part is unknown.
    /// @param options  for all of them; an id cannot be given.
    template<class Token = default_token>
    auto async_push_many_json(std::vector<raw_json> jobs, push_options options = {},
                              Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt,
            [&] { return push_many_json(std::move(jobs), std::move(options)); }, std::forward<Token>(token));
    }
    template<asio::completion_token_for<void(error_code, std::vector<std::string>)> Token>
    auto async_push_many_json(std::vector<raw_json> jobs, Token&& token) const
    {
        return async_push_many_json(std::move(jobs), push_options{}, std::forward<Token>(token));
    }

    // --- look ---

    /// How many jobs are where. O(log n) of the delayed jobs, else O(1). `void(error_code, list_queue_sizes)`.
    template<class Token = default_token>
    auto async_sizes(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return sizes(); }, std::forward<Token>(token));
    }

    // Large jobs are read a few at a time, so that Redis does not close the connection. An offset costs time in
    // proportion to it.

    /// Waiting jobs; offset 0 is the next to run. `void(error_code, std::vector<list_job>)`.
    template<class Token = default_token>
    auto async_waiting(std::size_t offset = 0, std::size_t count = 100, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return waiting(offset, count); },
            std::forward<Token>(token));
    }

    /// Delayed jobs and retries, the next due first. `void(error_code, std::vector<list_job_scheduled>)`.
    template<class Token = default_token>
    auto async_scheduled(std::size_t offset = 0, std::size_t count = 100,
                         Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return scheduled(offset, count); },
            std::forward<Token>(token));
    }

    /// Failed jobs, newest first. `void(error_code, std::vector<list_job_failed>)`.
    template<class Token = default_token>
    auto async_failed(std::size_t offset = 0, std::size_t count = 100, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return failed(offset, count); },
            std::forward<Token>(token));
    }

    /// Jobs in progress. Pages hold about `count`; a job may appear on two of them.
    /// `void(error_code, scan_page<list_job_in_progress>)`.
    template<class Token = default_token>
    auto async_in_progress(std::uint64_t cursor = 0, std::size_t count = 100,
                           Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return in_progress(cursor, count); },
            std::forward<Token>(token));
    }

    /// Payloads that no worker can run: they do not decode, or are too large.
    /// `void(error_code, scan_page<list_job_broken>)`.
    template<class Token = default_token>
    auto async_broken(std::uint64_t cursor = 0, std::size_t count = 100,
                      Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return broken(cursor, count); },
            std::forward<Token>(token));
    }

    // --- act ---
    // For one job: `void(error_code, result<void>)`. For all: `void(error_code, std::size_t)`, how many there were; jobs
    // that arrive meanwhile may stay.

    /// Queues a failed job, or all, behind all waiting ones. The attempts start again. O(n) of the failed jobs.
    template<class Token = default_token>
    auto async_retry_failed(std::string payload, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return retry_failed(std::move(payload)); },
            std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_retry_all_failed(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return retry_all_failed(); },
            std::forward<Token>(token));
    }

    /// Deletes a failed job, or all. O(n) of the failed jobs.
    template<class Token = default_token>
    auto async_delete_failed(std::string payload, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return delete_failed(std::move(payload)); },
            std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_delete_all_failed(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return delete_all_failed(); },
            std::forward<Token>(token));
    }

    /// Queues a broken job, or all, behind all waiting ones.
    template<class Token = default_token>
    auto async_retry_broken(std::string payload, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return retry_broken(std::move(payload)); },
            std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_retry_all_broken(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return retry_all_broken(); },
            std::forward<Token>(token));
    }

    /// Deletes a broken job, or all.
    template<class Token = default_token>
    auto async_delete_broken(std::string payload, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return delete_broken(std::move(payload)); },
            std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_delete_all_broken(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return delete_all_broken(); },
            std::forward<Token>(token));
    }

    /// Deletes one waiting job with this payload. O(n) of the waiting jobs.
    template<class Token = default_token>
    auto async_delete_waiting(std::string payload, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return delete_waiting(std::move(payload)); },
            std::forward<Token>(token));
    }

    /// Deletes a scheduled job; `member` as `async_scheduled` yielded it.
    template<class Token = default_token>
    auto async_delete_scheduled(std::string member, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return delete_scheduled(std::move(member)); },
            std::forward<Token>(token));
    }

    /// While a queue is paused coworker's workers take nothing from it. Peers do not know of it. `void(error_code)`.
    template<class Token = default_token>
    auto async_pause(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return pause(); }, std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_resume(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return resume(); }, std::forward<Token>(token));
    }

    /// Deletes the queue and everything in it. `void(error_code)`.
    template<class Token = default_token>
    auto async_destroy(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return destroy(); },
            std::forward<Token>(token));
    }

    /// The queue as a worker sees it. For `worker`, and for tests of other drivers.
    std::unique_ptr<job_source> make_source() const;

protected:
    /// Jobs whose JSON is known to be valid.
    asio::awaitable<std::string> push_encoded(std::string job, push_options options) const;
    asio::awaitable<std::vector<std::string>> push_encoded(std::vector<std::string> jobs,
                                                           push_options options) const;

private:
    asio::awaitable<std::string> push_json(raw_json job, push_options options) const;
    asio::awaitable<std::vector<std::string>> push_many_json(std::vector<raw_json> jobs,
                                                             push_options options) const;
    asio::awaitable<list_queue_sizes> sizes() const;
    asio::awaitable<std::vector<list_job>> waiting(std::size_t offset, std::size_t count) const;
    asio::awaitable<std::vector<list_job_scheduled>> scheduled(std::size_t offset, std::size_t count) const;
    asio::awaitable<std::vector<list_job_failed>> failed(std::size_t offset, std::size_t count) const;
    asio::awaitable<scan_page<list_job_in_progress>> in_progress(std::uint64_t cursor,
                                                                 std::size_t count) const;
    asio::awaitable<scan_page<list_job_broken>> broken(std::uint64_t cursor, std::size_t count) const;
    asio::awaitable<result<void>> retry_failed(std::string payload) const;
    asio::awaitable<std::size_t> retry_all_failed() const;
    asio::awaitable<result<void>> delete_failed(std::string payload) const;
    asio::awaitable<std::size_t> delete_all_failed() const;
    asio::awaitable<result<void>> retry_broken(std::string payload) const;
    asio::awaitable<std::size_t> retry_all_broken() const;
    asio::awaitable<result<void>> delete_broken(std::string payload) const;
    asio::awaitable<std::size_t> delete_all_broken() const;
    asio::awaitable<result<void>> delete_waiting(std::string payload) const;
    asio::awaitable<result<void>> delete_scheduled(std::string member) const;
    asio::awaitable<void> pause() const;
    asio::awaitable<void> resume() const;
    asio::awaitable<void> destroy() const;

    struct state;
    std::shared_ptr<state> state_; ///< operations keep it: they may begin when the queue is gone
};

/// A queue in hworker's layout, of jobs of one C++ type.
///
/// `Job` is anything `encode` and `decode` take: see `codec.hpp`.
template<class Job>
class list_queue : public raw_list_queue
{
public:
    using job_type = Job;
    using raw_list_queue::raw_list_queue;

    /// As `async_push_json`, for one job. It is encoded when this is called.
    template<class Token = default_token>
    auto async_push(const Job& job, push_options options = {}, Token&& token = default_token{}) const
    {
        const auto push = [&] { return this->push_encoded(encode(job).value(), std::move(options)); };
        return detail::start(this->get_executor(), detail::leaves_in_doubt, push, std::forward<Token>(token));
    }
    template<asio::completion_token_for<void(error_code, std::string)> Token>
    auto async_push(const Job& job, Token&& token) const
    {
        return async_push(job, push_options{}, std::forward<Token>(token));
    }

#ifdef COWORKER_COMPILER_DESTROYS_AGGREGATES_TWICE
    /// `async_push({…})` and `async_push(job{…})` would be miscompiled inside a `co_await` expression by this compiler,
    /// g++ 12.
    template<class... Rest>
    void async_push(Job&& give_the_job_a_name_first, Rest&&...) const
        requires(detail::destroyed_twice<Job>) = delete;
    template<class Token = default_token>
    void async_push(Job&& give_the_job_a_name_first, push_options, Token&& = default_token{}) const
        requires(detail::destroyed_twice<Job>) = delete;
#endif

    /// As `async_push_json`, for many. `jobs` is any range of `Job`.
    template<class Range, class Token = default_token>
    auto async_push_many(const Range& jobs, push_options options = {}, Token&& token = default_token{}) const
    {
        const auto push = [&] { return this->push_encoded(encode_all(jobs), std::move(options)); };
        return detail::start(this->get_executor(), detail::leaves_in_doubt, push, std::forward<Token>(token));
    }
    template<class Range, asio::completion_token_for<void(error_code, std::vector<std::string>)> Token>
    auto async_push_many(const Range& jobs, Token&& token) const
    {
        return async_push_many(jobs, push_options{}, std::forward<Token>(token));
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
