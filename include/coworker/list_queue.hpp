#pragma once

#include "coworker/codec.hpp"
#include "coworker/job.hpp"
#include "coworker/session.hpp"

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
    /// The largest job, in bytes of JSON, that `push` accepts. Zero: no limit but Redis' 512 MB.
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
    /// by a call of `sizes`, so it may have waited for longer. Empty: nothing waits.
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
/// Objects are cheap; make as many of the same name as is convenient. Every call throws
/// `system_error` when Redis cannot do its part (see `errc`). Cancellation is terminal, partial; a
/// cancelled write may or may not have been carried out.
///
/// @par Lifetime  The session must outlive the queue. A call owns what it needs as soon as it has returned its
///   awaitable: the queue, the job and the options may be gone when that is awaited.
/// @par Thread safety  Distinct objects: safe if their sessions are distinct. Shared objects: unsafe, but for making
///   calls: `co_spawn(session.get_executor(), queue.push(job), …)` may be written on any thread.
class raw_list_queue
{
public:
    /// What a worker's handler is given.
    using job_type = raw_json;

    /// @param name  1 to 512 bytes. With a part in braces, `{mail}`, all keys of the queue share one
    ///   Redis Cluster slot.
    /// @throws system_error  `errc::invalid_queue_name`, or `errc::invalid_option`.
    raw_list_queue(coworker::session& session, std::string name, list_queue_options options = {});
    ~raw_list_queue();
    raw_list_queue(const raw_list_queue&) = delete;
    raw_list_queue& operator=(const raw_list_queue&) = delete;

    const std::string& name() const noexcept { return name_; }
    coworker::session& session() const noexcept { return *session_; }
    const list_queue_options& options() const noexcept { return options_; }

    // --- push ---

    /// Queues a job. Once this has returned, the job stays in Redis until it is acknowledged.
    /// Returns the job's id.
    ///
    /// Throws `errc::not_serializable`, `errc::job_too_large` or `errc::invalid_job_id` before
    /// anything is sent. After `errc::unanswered` or `errc::timed_out` the job may or may not be
    /// queued: pushing again may make it two.
    asio::awaitable<std::string> push_json(raw_json job, push_options options = {});

    /// Queues many, thousands in a round trip, in order. Returns their ids, in order.
    ///
    /// All jobs are checked before any is sent. If Redis fails on the way, a first part of the jobs
    /// is queued, and which part is unknown.
    /// @param options  for all of them; an id cannot be given.
    asio::awaitable<std::vector<std::string>> push_json(std::vector<raw_json> jobs,
                                                        push_options options = {});

    // --- look ---

    asio::awaitable<list_queue_sizes> sizes();

    // Large jobs are read a few at a time, so that Redis does not close the connection.

    /// Waiting jobs; offset 0 is the next to run.
    asio::awaitable<std::vector<list_job>> waiting(std::size_t offset = 0, std::size_t count = 100);
    /// Delayed jobs and retries, the next due first.
    asio::awaitable<std::vector<list_job_scheduled>> scheduled(std::size_t offset = 0,
                                                               std::size_t count = 100);
    /// Failed jobs, newest first.
    asio::awaitable<std::vector<list_job_failed>> failed(std::size_t offset = 0, std::size_t count = 100);
    /// Jobs in progress. Pages hold about `count`; a job may appear on two of them.
    asio::awaitable<scan_page<list_job_in_progress>> in_progress(std::uint64_t cursor = 0,
                                                                 std::size_t count = 100);
    /// Payloads that no worker can run: they do not decode, or are too large.
    asio::awaitable<scan_page<list_job_broken>> broken(std::uint64_t cursor = 0, std::size_t count = 100);

    // --- act ---

    /// Queues a failed job, or all, behind all waiting ones. The attempts start again.
    asio::awaitable<result<void>> retry_failed(std::string payload);
    asio::awaitable<std::size_t> retry_all_failed();
    asio::awaitable<result<void>> delete_failed(std::string payload);
    asio::awaitable<std::size_t> delete_all_failed();

    asio::awaitable<result<void>> retry_broken(std::string payload);
    asio::awaitable<std::size_t> retry_all_broken();
    asio::awaitable<result<void>> delete_broken(std::string payload);
    asio::awaitable<std::size_t> delete_all_broken();

    /// Deletes one waiting job with this payload. Takes time in proportion to the queue's length.
    asio::awaitable<result<void>> delete_waiting(std::string payload);
    /// Deletes a scheduled job; `member` as `scheduled` returned it.
    asio::awaitable<result<void>> delete_scheduled(std::string member);

    /// While a queue is paused coworker's workers take nothing from it. Peers do not know of it.
    asio::awaitable<void> pause();
    asio::awaitable<void> resume();

    /// Deletes the queue and everything in it.
    asio::awaitable<void> destroy();

    /// The queue as a worker sees it. For `worker`, and for tests of other drivers.
    std::unique_ptr<job_source> make_source();

protected:
    /// Jobs whose JSON is known to be valid.
    asio::awaitable<std::string> push_encoded(std::string job, push_options options);
    asio::awaitable<std::vector<std::string>> push_encoded(std::vector<std::string> jobs,
                                                           push_options options);

private:
    coworker::session* session_;
    std::string name_;
    list_queue_options options_;
    struct state;
    std::shared_ptr<state> state_; ///< calls keep it: they may be begun when the queue is gone
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

    /// As `push_json`, for one job.
    asio::awaitable<std::string> push(const Job& job, push_options options = {})
    {
        // Encoded before the coroutine starts, so that the job need not outlive the call.
        return this->push_encoded(encode(job).value(), std::move(options));
    }

#ifdef COWORKER_COMPILER_DESTROYS_AGGREGATES_TWICE
    /// `push({…})` and `push(job{…})` would be miscompiled inside a `co_await` expression by this compiler, g++ 12.
    asio::awaitable<std::string> push(Job&& give_the_job_a_name_first,
                                      push_options = {}) requires(detail::destroyed_twice<Job>) = delete;
#endif

    /// As `push_json`, for many. `jobs` is any range of `Job`.
    template<class Range>
    asio::awaitable<std::vector<std::string>> push_many(const Range& jobs, push_options options = {})
    {
        std::vector<std::string> texts;
        if constexpr (requires { std::size(jobs); })
            texts.reserve(std::size(jobs));
        for (const Job& job : jobs)
            texts.push_back(encode(job).value());
        return this->push_encoded(std::move(texts), std::move(options));
    }
};

} // namespace coworker
