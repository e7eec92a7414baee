#pragma once

#include "coworker/codec.hpp"
#include "coworker/managed_details.hpp"
#include "coworker/managed_job.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/managed_statistics.hpp"
#include "coworker/session.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

/// How many jobs of a queue are where.
struct managed_queue_counts
{
    std::string name;
    std::uint64_t waiting = 0;
    std::uint64_t running = 0;
    std::uint64_t stalled = 0; ///< their lock has run out, and nobody has popped them since
    std::uint64_t scheduled = 0;
    std::uint64_t depends = 0;
    std::uint64_t recurring = 0;
    bool paused = false;
};

/// What is set for one queue.
struct managed_queue_settings
{
    /// How long a worker holds a job without a heartbeat. Empty: the option `heartbeat` counts, which is for
    /// all queues.
    std::optional<std::chrono::milliseconds> heartbeat;

    /// How many jobs may run at the same time, whoever runs them. Zero: any number.
    std::uint64_t max_concurrency = 0;
};

/// A job to be put together with others. Members that are empty mean what they mean in `put_options`.
struct new_managed_job
{
    std::string klass;
    std::string data = "{}"; ///< JSON text
    std::optional<std::string> jid{};
    std::optional<double> priority{};
    std::chrono::milliseconds delay{0};
    std::optional<unsigned> retries{};
    std::vector<std::string> tags{};
    std::vector<std::string> depends{};
};

/// One queue in qless' layout. Ruby and Python qless clients and coworker programs share it.
///
/// Objects are cheap; make as many of the same name as is convenient. Texts and options are read when a
/// call is made and need not live until it has been awaited.
///
/// @par Errors  What cannot be right is refused before anything is sent: throws `system_error` with
///   `errc::invalid_option`, `errc::invalid_queue_name`, `errc::invalid_job_id`, `errc::not_serializable` or
///   `errc::job_too_large`. Throws `system_error` when Redis cannot do its part. Where the answer can be no, it is a
///   `result`, and the call says which `errc`.
/// @par Cancellation  terminal, partial. A cancelled write may or may not have been carried out.
/// @par Lifetime  The session must outlive the queue.
/// @par Thread safety  Distinct objects: safe if their sessions are distinct. Shared objects: unsafe.
class managed_queue
{
public:
    /// What a worker's handler is given unless it asks for another type.
    using job_type = raw_json;

    /// Its jobs can be handled by klass: see `klass_handlers`.
    static constexpr bool has_klasses = true;

    /// @param name  1 to 512 bytes.
    /// @throws system_error  `errc::invalid_queue_name`, or `errc::invalid_option`.
    managed_queue(coworker::session& session, std::string name, managed_options options = {});
    ~managed_queue();
    managed_queue(const managed_queue&) = delete;
    managed_queue& operator=(const managed_queue&) = delete;

    const std::string& name() const noexcept { return name_; }
    coworker::session& session() const noexcept { return *session_; }
    const managed_options& options() const noexcept { return options_; }

    // --- put ---

    /// Puts a job of kind `klass` into the queue, or moves one that exists. Returns its jid. Once this has
    /// returned, the job stays in Redis until it is completed or cancelled. After `errc::unanswered` or
    /// `errc::timed_out` it may or may not have been put; with a jid of one's own it can be put again.
    ///
    /// @param data  anything `encode` takes: a described type, a `json::value`, `raw_json`. qless' own clients
    ///   expect an object.
    /// @note  With g++ 12, give a job a name first: it destroys temporary aggregates in `co_await` expressions twice.
    template<class Data>
    asio::awaitable<std::string> put(std::string_view klass, const Data& data, put_options options = {})
    {
        return put_encoded(klass, encode(data).value(), std::move(options));
    }

#ifdef COWORKER_COMPILER_DESTROYS_AGGREGATES_TWICE
    template<class Data>
    requires(detail::destroyed_twice<Data>) asio::awaitable<std::string> put(std::string_view,
                                                                             Data&& give_the_job_a_name_first,
                                                                             put_options = {})
    = delete;
    template<class Data>
    requires(detail::destroyed_twice<Data>) asio::awaitable<std::string> recur(
        std::string_view, Data&& give_the_job_a_name_first, std::chrono::seconds, recur_options = {})
    = delete;
#endif

    /// Puts many. Returns their jids, in order. Those of equal priority are handed out in this order. With
    /// priorities beyond 2, where scores get coarse, that is sure of 128 at a time; the following 128 may mix with
    /// the end of those before.
    ///
    /// All are checked before any is sent. If Redis fails on the way, a first part of the jobs has been put,
    /// and which part is unknown; with jids of one's own it can be repeated.
    asio::awaitable<std::vector<std::string>> put_many(std::span<const new_managed_job> jobs);

    /// The same for jobs of one klass, with the same options. `range` is any of what `put` takes as data.
    /// @param options  for all of them; a jid cannot be given.
    template<class Range>
    asio::awaitable<std::vector<std::string>> put_many(std::string_view klass, const Range& range,
                                                       put_options options = {})
    {
        std::vector<std::string> texts;
        for (const auto& data : range)
            texts.push_back(encode(data).value());
        return put_many_encoded(klass, texts, std::move(options));
    }

    /// Puts a job again that must still exist, with its klass and data, here. Whoever held it has lost it.
    /// `errc::job_not_found`.
    asio::awaitable<result<void>> requeue(const managed_job& job, put_options options = {});

    // --- take, for consumers that are not a `worker` ---

    /// Hands up to `count` jobs to `worker`, highest priority first. None while the queue is paused, or when
    /// as many run as may. Jobs whose lock has run out go first. Never waits.
    ///
    /// @param worker  1 byte at least, and not the name of a session that a `coworker::worker` uses, which would give
    ///   these jobs back; what qless' clients call a worker name, one per process.
    asio::awaitable<std::vector<managed_job>> pop(std::string_view worker, std::size_t count = 1);

    /// Shows up to `count` jobs that `pop` would hand out, 500 at most. Due delayed and recurring jobs begin
    /// to wait thereby.
    asio::awaitable<std::vector<managed_job>> peek(std::size_t count = 1);

    // --- look ---

    /// Jobs that wait, run or are delayed.
    asio::awaitable<std::uint64_t> length();

    asio::awaitable<managed_queue_counts> counts();

    /// What happened on the day (UTC) in which `day` lies. Empty: today, by the server's clock.
    asio::awaitable<managed_statistics> statistics(std::optional<timestamp> day = std::nullopt);

    /// Jids of the jobs in a state: running, stalled, scheduled, depends or recurring. Others are refused:
    /// see `peek`, `managed_client::failed` and `managed_client::completed`. `stalled` means jobs whose lock has run
    /// out, here; those taken from their worker in another way are among the first that `peek` shows.
    asio::awaitable<std::vector<std::string>> jobs(managed_state in_state, std::size_t offset = 0,
                                                   std::size_t count = 25);

    // --- act ---

    /// While a queue is paused no worker is given anything from it, whatever client it uses.
    asio::awaitable<void> pause();
    asio::awaitable<void> unpause();

    /// Makes a job of kind `klass` be put every `interval`, or changes what recurs under that jid. Returns
    /// the jid. The jobs are spawned when somebody pops. The protocol rounds due times down to whole seconds, so
    /// the interval has to be made of them; `.offset` may have fractions.
    template<class Data>
    asio::awaitable<std::string> recur(std::string_view klass, const Data& data,
                                       std::chrono::seconds interval, recur_options options = {})
    {
        return recur_encoded(klass, encode(data).value(), interval, std::move(options));
    }

    /// Puts the oldest `count` failed jobs of a group here. Returns how many there were.
    asio::awaitable<std::size_t> unfail(std::string_view group, std::size_t count = 25);

    /// Takes the queue off the list of known queues, until something is put. Its jobs stay.
    asio::awaitable<void> forget();

    // --- settings, which are kept in Redis and hold for all clients ---

    asio::awaitable<managed_queue_settings> settings();
    /// Greater than zero. Empty: as for all queues.
    asio::awaitable<void> set_heartbeat(std::optional<std::chrono::milliseconds> heartbeat);
    /// Zero: any number.
    asio::awaitable<void> set_max_concurrency(std::uint64_t count);

    /// The queue as a worker sees it. For `worker`, and for tests of other drivers.
    std::unique_ptr<job_source> make_source();

private:
    asio::awaitable<std::string> put_encoded(std::string_view klass, std::string data, put_options options);
    asio::awaitable<std::vector<std::string>>
    put_many_encoded(std::string_view klass, const std::vector<std::string>& texts, put_options options);
    asio::awaitable<std::string> recur_encoded(std::string_view klass, std::string data,
                                               std::chrono::seconds interval, recur_options options);
    std::string make_jid();

    coworker::session* session_;
    std::string name_;
    managed_options options_;
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace coworker
