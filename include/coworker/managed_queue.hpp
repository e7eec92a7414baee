#pragma once

#include "coworker/client.hpp"
#include "coworker/codec.hpp"
#include "coworker/managed_details.hpp"
#include "coworker/managed_job.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/managed_statistics.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

namespace detail {
class job_ids;
}

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

/// A job to be pushed together with others. Members that are empty mean what they mean in `managed_push_options`.
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
/// Objects are cheap handles, to be copied and moved; make as many of the same name as is convenient.
///
/// @par Errors  Before anything is sent: `errc::invalid_option`, `errc::invalid_queue_name`, `errc::invalid_job_id`,
///   `errc::not_serializable` or `errc::job_too_large`. Where the answer can be no, it is a `result`, and the operation
///   says which `errc`. The error code says what Redis could not do: `errc::stopped`, `errc::unavailable`,
///   `errc::unanswered`, `errc::timed_out`, `errc::command_refused`, `errc::read_only_server`, or what
///   `client::async_connect` says.
/// @par Cancellation  What reads obeys terminal, partial and total cancellation. What writes obeys terminal and partial,
///   and may have been carried out by then, in parts if it takes several steps. The error is
///   `asio::error::operation_aborted`.
/// @par Lifetime  An operation reads its arguments when it is called, and owns what it needs from then on: the queue,
///   texts and options may be gone. When the client is gone it fails with `errc::stopped`.
/// @par Thread safety  As `client`.
class managed_queue
{
public:
    /// What a worker's handler is given unless it asks for another type.
    using job_type = raw_json;
    using executor_type = asio::any_io_executor;

    /// Its jobs can be handled by klass: see `klass_handlers`.
    static constexpr bool has_klasses = true;

    /// @param name  1 to 512 bytes.
    /// @throws system_error  `errc::invalid_queue_name`, or `errc::invalid_option`.
    managed_queue(const client& redis, std::string name, managed_options options = {});

    const std::string& name() const noexcept { return name_; }
    const managed_options& options() const noexcept { return options_; }
    /// The client's executor.
    executor_type get_executor() const;

    // --- push ---

    /// Pushes a job of kind `klass`, or moves one that exists. Completes with its jid: `void(error_code, std::string)`. Once
    /// this has completed, the job stays in Redis until it is completed or cancelled. After `errc::unanswered`,
    /// `errc::timed_out` or a cancellation it may or may not have been pushed; with a jid of one's own it can be
    /// pushed again.
    ///
    /// @param data  anything `encode` takes: a described type, a `json::value`, `raw_json`. It is encoded when this is
    ///   called. qless' own clients expect an object.
    /// @note  With g++ 12, give a job a name first: it destroys temporary aggregates in `co_await` expressions twice.
    template<class Data, class Token = default_token>
    auto async_push(std::string_view klass, const Data& data, managed_push_options options = {},
                    Token&& token = default_token{}) const
    {
        const auto push = [&] { return push_encoded(klass, encode(data).value(), std::move(options)); };
        return detail::start(get_executor(), detail::leaves_in_doubt, push, std::forward<Token>(token));
    }
    template<class Data, asio::completion_token_for<void(error_code, std::string)> Token>
    auto async_push(std::string_view klass, const Data& data, Token&& token) const
    {
        return async_push(klass, data, managed_push_options{}, std::forward<Token>(token));
    }

#ifdef COWORKER_COMPILER_DESTROYS_AGGREGATES_TWICE
    template<class Data, class... Rest>
    requires(detail::destroyed_twice<Data>) void async_push(std::string_view,
                                                            Data&& give_the_job_a_name_first,
                                                            Rest&&...) const = delete;
    template<class Data, class Token = default_token>
    requires(detail::destroyed_twice<Data>) void async_push(std::string_view,
                                                            Data&& give_the_job_a_name_first,
                                                            managed_push_options,
                                                            Token&& = default_token{}) const = delete;
    template<class Data, class Token = default_token>
    requires(detail::destroyed_twice<Data>) void async_recur(std::string_view,
                                                             Data&& give_the_job_a_name_first,
                                                             std::chrono::seconds, recur_options = {},
                                                             Token&& = default_token{}) const = delete;
#endif

    /// Pushes many. Completes with their jids, in order. Those of equal priority are handed out in this order. With
    /// priorities beyond 2, where scores get coarse, that is sure of 128 at a time; the following 128 may mix with
    /// the end of those before. `void(error_code, std::vector<std::string>)`.
    ///
    /// All are checked before any is sent. After an error of Redis or a cancellation a first part of the jobs has been
    /// pushed, and which part is unknown; with jids of one's own it can be repeated.
    template<class Token = default_token>
    auto async_push_many(std::span<const new_managed_job> jobs, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return push_many(jobs); },
            std::forward<Token>(token));
    }

    /// The same for jobs of one klass, with the same options. `range` is any of what `async_push` takes as data.
    /// @param options  for all of them; a jid cannot be given.
    template<class Range, class Token = default_token>
    auto async_push_many(std::string_view klass, const Range& range, managed_push_options options = {},
                         Token&& token = default_token{}) const
    {
        const auto push = [&] {
            std::vector<std::string> texts;
            for (const auto& data : range)
                texts.push_back(encode(data).value());
            return push_many_encoded(klass, texts, std::move(options));
        };
        return detail::start(get_executor(), detail::leaves_in_doubt, push, std::forward<Token>(token));
    }

    /// Pushes a job again that must still exist, with its klass and data, here. Whoever held it has lost it.
    /// `errc::job_not_found`.
    template<class Token = default_token>
    auto async_requeue(const managed_job& job, managed_push_options options = {},
                       Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return requeue(job, std::move(options)); },
            std::forward<Token>(token));
    }
    template<asio::completion_token_for<void(error_code, result<void>)> Token>
    auto async_requeue(const managed_job& job, Token&& token) const
    {
        return async_requeue(job, managed_push_options{}, std::forward<Token>(token));
    }

    // --- take, for consumers that are not a `worker` ---

    /// Hands up to `count` jobs to `worker`, highest priority first. None while the queue is paused, or when
    /// as many run as may. Jobs whose lock has run out go first. Never waits.
    ///
    /// @param worker  1 byte at least, and not the name of a client that a `coworker::worker` uses, which would give
    ///   these jobs back; what qless' clients call a worker name, one per process.
    template<class Token = default_token>
    auto async_pop(std::string_view worker, std::size_t count = 1, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return pop(worker, count); },
            std::forward<Token>(token));
    }

    /// Shows up to `count` jobs that `async_pop` would hand out, 500 at most. Due delayed and recurring jobs begin
    /// to wait thereby.
    template<class Token = default_token>
    auto async_peek(std::size_t count = 1, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return peek(count); }, std::forward<Token>(token));
    }

    // --- look ---

    /// Jobs that wait, run or are delayed.
    template<class Token = default_token>
    auto async_length(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return length(); }, std::forward<Token>(token));
    }

    template<class Token = default_token>
    auto async_counts(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return counts(); }, std::forward<Token>(token));
    }

    /// What happened on the day (UTC) in which `day` lies. Empty: today, by the server's clock.
    template<class Token = default_token>
    auto async_statistics(std::optional<timestamp> day = std::nullopt, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return statistics(day); },
            std::forward<Token>(token));
    }

    /// Jids of the jobs in a state: running, stalled, scheduled, depends or recurring. Others are refused:
    /// see `async_peek`, `managed_client::async_failed` and `managed_client::async_completed`. `stalled` means jobs whose lock has run
    /// out, here; those taken from their worker in another way are among the first that `async_peek` shows.
    template<class Token = default_token>
    auto async_jobs(managed_state in_state, std::size_t offset = 0, std::size_t count = 25,
                    Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return jobs(in_state, offset, count); },
            std::forward<Token>(token));
    }

    // --- act ---

    /// While a queue is paused no worker is given anything from it, whatever client it uses.
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

    /// Makes a job of kind `klass` be pushed every `interval`, or changes what recurs under that jid. Returns
    /// the jid. The jobs are spawned when somebody pops. The protocol rounds due times down to whole seconds, so
    /// the interval has to be made of them; `.offset` may have fractions.
    template<class Data, class Token = default_token>
    auto async_recur(std::string_view klass, const Data& data, std::chrono::seconds interval,
                     recur_options options = {}, Token&& token = default_token{}) const
    {
        const auto recur = [&] {
            return recur_encoded(klass, encode(data).value(), interval, std::move(options));
        };
        return detail::start(get_executor(), detail::leaves_in_doubt, recur, std::forward<Token>(token));
    }

    /// Pushes the oldest `count` failed jobs of a group here. Returns how many there were.
    template<class Token = default_token>
    auto async_unfail(std::string_view group, std::size_t count = 25, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return unfail(group, count); },
            std::forward<Token>(token));
    }

    /// Takes the queue off the list of known queues, until something is pushed. Its jobs stay.
    template<class Token = default_token>
    auto async_forget(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return forget(); }, std::forward<Token>(token));
    }

    // --- settings, which are kept in Redis and hold for all clients ---

    template<class Token = default_token>
    auto async_settings(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return settings(); },
            std::forward<Token>(token));
    }
    /// Greater than zero. Empty: as for all queues.
    template<class Token = default_token>
    auto async_set_heartbeat(std::optional<std::chrono::milliseconds> heartbeat,
                             Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return set_heartbeat(heartbeat); },
            std::forward<Token>(token));
    }
    /// Zero: any number.
    template<class Token = default_token>
    auto async_set_max_concurrency(std::uint64_t count, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return set_max_concurrency(count); },
            std::forward<Token>(token));
    }

    /// The queue as a worker sees it. For `worker`, and for tests of other drivers.
    std::unique_ptr<job_source> make_source() const;

private:
    asio::awaitable<result<void>> requeue(const managed_job& job, managed_push_options options) const;
    asio::awaitable<std::string> push_encoded(std::string_view klass, std::string data,
                                              managed_push_options options) const;
    asio::awaitable<std::vector<std::string>> push_many(std::span<const new_managed_job> jobs) const;
    asio::awaitable<std::vector<std::string>> push_many_encoded(std::string_view klass,
                                                                const std::vector<std::string>& texts,
                                                                managed_push_options options) const;
    asio::awaitable<std::string> recur_encoded(std::string_view klass, std::string data,
                                               std::chrono::seconds interval, recur_options options) const;
    asio::awaitable<std::vector<managed_job>> pop(std::string_view worker, std::size_t count) const;
    asio::awaitable<std::vector<managed_job>> peek(std::size_t count) const;
    asio::awaitable<std::uint64_t> length() const;
    asio::awaitable<managed_queue_counts> counts() const;
    asio::awaitable<managed_statistics> statistics(std::optional<timestamp> day) const;
    asio::awaitable<std::vector<std::string>> jobs(managed_state in_state, std::size_t offset,
                                                   std::size_t count) const;
    asio::awaitable<void> pause() const;
    asio::awaitable<void> resume() const;
    asio::awaitable<std::size_t> unfail(std::string_view group, std::size_t count) const;
    asio::awaitable<void> forget() const;
    asio::awaitable<managed_queue_settings> settings() const;
    asio::awaitable<void> set_heartbeat(std::optional<std::chrono::milliseconds> heartbeat) const;
    asio::awaitable<void> set_max_concurrency(std::uint64_t count) const;
    std::string make_jid() const;

    std::shared_ptr<detail::connection> redis_;
    std::shared_ptr<detail::job_ids> ids_;
    std::string name_;
    managed_options options_;
};

} // namespace coworker
