// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/outbox_store.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coworker {

namespace detail {
class postgresql_connection;
}

/// A row of an outbox that could not be pushed.
struct rejected_row
{
    std::string id;     ///< of the row
    std::string job_id; ///< what would have been the job's id
    std::string queue;  ///< as the row has it
    std::string error;  ///< why it was not pushed
    std::string at;     ///< when it was rejected, RFC 3339
};

/// A table of jobs in PostgreSQL, version 13 or later, for an `outbox_relay`. It is used through libpq's non-blocking
/// interface; only the name of a host is looked up in a blocking way, unless the connection has `hostaddr`.
///
/// Link `coworker::postgresql`. docs/outbox.md says how rows are written.
///
/// @par Thread safety  Everything happens on the executor of who calls it, one call at a time.
class postgresql_outbox : public outbox_store
{
public:
    /// Connects later.
    ///
    /// @param connection  as libpq reads it: "host=db dbname=shop" or "postgresql://db/shop"; what it leaves out comes
    ///   from PGHOST, PGPASSFILE and the like
    /// @param table  its name, or SCHEMA.NAME, of letters, digits and underscores, 40 bytes each
    /// @throws system_error  `errc::invalid_option`: no table is called like that
    explicit postgresql_outbox(std::string connection, std::string table = "coworker_outbox");
    ~postgresql_outbox() override;

    /// The SQL that makes the table, its index and the trigger that announces rows, for a migration.
    /// @throws system_error  `errc::invalid_option`
    static std::string schema(const std::string& table = "coworker_outbox");

    asio::awaitable<void> connect() override;
    asio::awaitable<std::vector<outbox_row>> take(outbox_wish wish) override;
    asio::awaitable<void> finish(outbox_outcome outcome) override;
    asio::awaitable<outbox_backlog> look() override;
    asio::awaitable<void> wait() override;
    void close() noexcept override;

    /// Reads the rows that were rejected, those with the lowest ids first.
    asio::awaitable<std::vector<rejected_row>> rejected(std::size_t count);

    /// Has these rows pushed again, or all that were rejected if none are named. Returns how many there were.
    /// @param ids  numbers
    asio::awaitable<std::uint64_t> retry(std::vector<std::string> ids);

private:
    detail::postgresql_connection& connected();

    std::string connection_;
    std::string table_;
    std::unique_ptr<detail::postgresql_connection> database_; ///< null: there is no connection
};

} // namespace coworker
