// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/completion.hpp"
#include "coworker/durability.hpp"
#include "coworker/event.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/option_duration.hpp"
#include "coworker/option_list.hpp"
#include "coworker/outbox_store.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace coworker {

namespace detail {
class relay_state;
}

/// How an `outbox_relay` works.
struct outbox_options
{
    /// How many rows are pushed and deleted in one transaction, at most: 1 to 10,000.
    std::size_t batch_size = 500;

    /// How many bytes of payloads and options are read at once; one row more may be read. At least 1.
    std::size_t batch_bytes = 8 * 1024 * 1024;

    /// The largest payload with its options, in bytes. Larger rows are rejected. At least 1.
    std::size_t max_job_size = 8 * 1024 * 1024;

    /// How long Redis remembers that a row was pushed: at least one minute. If the database could not delete the row for
    /// longer than this, the job is pushed twice. Redis needs memory for each job that it remembers.
    option_duration remember = std::chrono::hours{24};

    /// How often the relay looks for rows of which the database told nothing: at least 10 ms. 0: every 5 s, or each second if
    /// the database announces no rows.
    option_duration poll = std::chrono::milliseconds{0};

    /// How long the relay waits after an error, at first; up to 30 times as long after several. At least 1 ms.
    option_duration retry_after = std::chrono::milliseconds{500};

    /// How long the database may take for one step, and for a connection. At least 10 ms.
    option_duration database_timeout = std::chrono::seconds{30};

    /// What a job has to survive before its row is deleted.
    durability confirmed = durability::memory();

    /// Beginning of the keys of managed queues.
    text managed_prefix = "ql:";

    /// Receive `event_kind::warning`. The default writes them to `std::clog`; with `{}` the relay is silent.
    option_list<observer> observers = default_observers();
};

/// What a relay has done and seen.
struct outbox_counts
{
    std::uint64_t pushed = 0;          ///< rows whose jobs Redis has taken, and that were deleted
    std::uint64_t repeated = 0;        ///< of these, rows that Redis had taken before
    std::uint64_t rejected = 0;        ///< rows that could not be pushed
    std::uint64_t database_errors = 0; ///< steps that the database failed
    std::uint64_t redis_errors = 0;    ///< batches of which Redis did not take all
    bool is_database_up = false;       ///< there is a connection
    outbox_backlog backlog{};          ///< as it was seen last; at least once in `outbox_options::poll`
};

/// Pushes jobs from a table of a database: they are there if and only if the transaction commits that wrote them.
///
///     coworker::outbox_relay relay{redis, coworker::postgresql_outbox("dbname=shop")};
///     co_await relay.async_run();
///
/// Each row becomes one job, in a list queue or a managed one, and is deleted when Redis has confirmed it. Whatever
/// dies in between, the row is pushed again, and Redis knows by the job's id that it has the job. docs/outbox.md says
/// what holds. Several relays may work on one table.
///
/// @par Lifetime  The client must outlive the relay, or `async_run` ends with `errc::stopped`. Destroying a running
///   relay ends it.
/// @par Thread safety  Distinct objects: safe. Shared objects: unsafe, but for `async_run` and `stop`. Without
///   `client_options::thread_safe` everything has to happen on the executor.
class outbox_relay
{
public:
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// A relay on the client's executor, where the database is used as well.
    ///
    /// @param redis  where the jobs are pushed
    /// @param database  where the rows are; this relay alone uses it
    /// @param options  how it works
    /// @throws system_error  `errc::invalid_option`
    outbox_relay(const client& redis, std::unique_ptr<outbox_store> database, outbox_options options = {});
    /// Ends a running relay, as `stop` does, without waiting for it.
    ~outbox_relay();
    /// Takes over a relay, which may run. The one that was moved from can only be destroyed or assigned to.
    outbox_relay(outbox_relay&&) noexcept;
    /// The same; the relay that was here is destroyed.
    outbox_relay& operator=(outbox_relay&&) noexcept;

    /// Pushes rows until `stop` is called. Completes with `void(error_code)`. Runs once per relay. While Redis or the
    /// database cannot be reached, it waits.
    ///
    /// @par Cancellation  terminal, partial, total: as `stop`; completes with `operation_aborted`.
    /// @par Errors  `errc::already_running`, `errc::stopped` when the client has ended.
    /// @par Thread safety  May be called from any thread.
    template<class Token = default_token>
    auto async_run(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return run(); }, std::forward<Token>(token));
    }

    /// Ends `async_run` at once, also while Redis or the database is away. Rows under way stay, and are pushed again by
    /// the next relay, which Redis notices. May be called at any time, more than once, also before `async_run`.
    ///
    /// @par Thread safety  May be called from any thread, but not from a signal handler.
    void stop();

    /// What the relay has done and seen.
    outbox_counts counts() const;

    /// The same as metrics in Prometheus' text format.
    std::string prometheus() const;

    /// The executor on which the relay runs.
    executor_type get_executor() const;

private:
    asio::awaitable<void> run();

    std::shared_ptr<detail::relay_state> state_;
};

} // namespace coworker
