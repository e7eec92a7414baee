// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/outbox_store.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace coworker {

namespace detail {
class sql_connection;
struct sql_answer;
struct sql_dialect;

/// Connects to a database.
using open_database = std::function<asio::awaitable<std::unique_ptr<sql_connection>>()>;
} // namespace detail

/// A row of an outbox that could not be pushed.
struct rejected_row
{
    std::string id;     ///< of the row
    std::string job_id; ///< what would have been the job's id
    std::string queue;  ///< as the row has it
    std::string error;  ///< why it was not pushed
    std::string at;     ///< when it was rejected, RFC 3339
};

/// A table of jobs in an SQL database: what `postgresql_outbox` and `mysql_outbox` have in common.
///
/// @par Thread safety  Everything happens on the executor of who calls it, one call at a time.
class outbox_table : public outbox_store
{
public:
    ~outbox_table() override;

    asio::awaitable<void> connect() override;
    asio::awaitable<std::vector<outbox_row>> take(outbox_wish wish) override;
    asio::awaitable<void> finish(outbox_outcome outcome) override;
    asio::awaitable<outbox_backlog> look() override;
    asio::awaitable<void> wait() override;
    void close() noexcept override;
    bool announces() const noexcept override;

    /// The SQL that makes the table, for a migration.
    std::string creation() const;

    /// Reads the rows that were rejected, those with the lowest ids first.
    asio::awaitable<std::vector<rejected_row>> rejected(std::size_t count);

    /// Has these rows pushed again, or all that were rejected if none are named. Returns how many there were.
    /// @param ids  numbers
    asio::awaitable<std::uint64_t> retry(std::vector<std::string> ids);

protected:
    /// @throws system_error  `errc::invalid_option`: no table is called like that
    outbox_table(const detail::sql_dialect& dialect, detail::open_database open, std::string table);

    /// @throws system_error  `errc::invalid_option`
    static std::string schema_of(const detail::sql_dialect& dialect, const std::string& table);

private:
    detail::sql_connection& connected();
    /// Carries out statements, and returns the answer to the last.
    asio::awaitable<detail::sql_answer> ask(std::string statements);

    const detail::sql_dialect* dialect_;
    detail::open_database open_;
    std::string table_;
    std::unique_ptr<detail::sql_connection> database_; ///< null: there is no connection
};

} // namespace coworker
