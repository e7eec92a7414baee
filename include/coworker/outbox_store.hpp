// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace coworker {

namespace asio = boost::asio;

/// A job that waits in a table of a database to be pushed: one row.
struct outbox_row
{
    std::string id;          ///< of the row; rows with lower ids are pushed first
    std::string job_id;      ///< the id that the job gets, the same each time that the row is read
    std::string queue;       ///< `NAME`, or `managed:NAME`
    std::string kind;        ///< empty: none is given, as for a list queue
    std::string payload{};   ///< JSON; not read if the row is too large
    std::string options{};   ///< a JSON object of the options of the push; empty: none
    std::string order_key{}; ///< rows with the same key are pushed in order; empty: none
    std::size_t size = 0;    ///< of `payload` and `options` together, in bytes
};

/// Which rows an `outbox_relay` wants to push next.
struct outbox_wish
{
    std::size_t rows = 0;                     ///< so many at most
    std::size_t bytes = 0;                    ///< of payloads and options together, but for the last row
    std::size_t row_bytes = 0;                ///< payload and options of a larger row are not read
    std::vector<std::string> queues_beside{}; ///< no rows of these queues
};

/// A row that cannot be pushed, and why.
struct outbox_complaint
{
    std::string id;  ///< of the row
    std::string why; ///< for people
};

/// What became of the rows that were taken; those that are not named are taken again.
struct outbox_outcome
{
    std::vector<std::string> pushed;          ///< ids of rows whose jobs are in Redis: they are deleted
    std::vector<outbox_complaint> rejected{}; ///< they stay, with the error, and are not taken any more
};

/// What there is in the table.
struct outbox_backlog
{
    std::uint64_t waiting = 0;                             ///< rows, counted up to 10,000
    std::uint64_t rejected = 0;                            ///< rows that could not be pushed
    std::optional<std::chrono::milliseconds> oldest_age{}; ///< of the first waiting row; empty: there is none
};

/// The database, or the connection to it, could not do its part. The text says why, for people.
class outbox_database_error : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// A table of jobs in a database, as an `outbox_relay` uses it: one call at a time, on the relay's executor. See
/// postgresql.hpp and mysql.hpp for two; derive from this to use another database.
///
/// Each call may throw `outbox_database_error`, or `operation_aborted` when it is cancelled. Then the relay calls
/// `close`, waits, and begins with `connect` again.
class outbox_store
{
public:
    outbox_store() = default;
    /// The store is closed.
    virtual ~outbox_store() = default;
    outbox_store(const outbox_store&) = delete;
    outbox_store& operator=(const outbox_store&) = delete;

    /// Connects, and listens for new rows from then on.
    virtual asio::awaitable<void> connect() = 0;

    /// Begins a transaction, and locks rows for it that no other transaction has locked, in the order of their ids. Of
    /// rows that have an order key, no other relay may take any before the transaction has ended. Without rows there is
    /// no transaction.
    virtual asio::awaitable<std::vector<outbox_row>> take(outbox_wish wish) = 0;

    /// Deletes rows and rejects rows, and commits the transaction of `take`.
    virtual asio::awaitable<void> finish(outbox_outcome outcome) = 0;

    /// Counts what there is.
    virtual asio::awaitable<outbox_backlog> look() = 0;

    /// Returns when there may be new rows: some were announced since the last `connect`, or since this returned last.
    /// A database that announces nothing waits until this is cancelled.
    virtual asio::awaitable<void> wait() = 0;

    /// Whether the database announces rows. One that does not is looked at more often, if `outbox_options::poll` is 0.
    virtual bool announces() const noexcept { return true; }

    /// Ends the connection, if there is one. What is not committed is as if it had not been.
    virtual void close() noexcept = 0;
};

} // namespace coworker
