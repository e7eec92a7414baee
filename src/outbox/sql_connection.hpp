// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::detail {

namespace asio = boost::asio;

/// The answer to one statement.
struct sql_answer
{
    using row = std::vector<std::optional<std::string>>; ///< nothing: NULL

    std::vector<row> rows{};
    std::uint64_t changed = 0; ///< rows
};

/// A connection to an SQL database. One call at a time. A call that was cancelled, or that threw, leaves it unusable.
///
/// Each call may throw `outbox_database_error`.
class sql_connection
{
public:
    sql_connection() = default;
    virtual ~sql_connection() = default;
    sql_connection(const sql_connection&) = delete;
    sql_connection& operator=(const sql_connection&) = delete;

    /// Carries out statements, and returns the answer to each.
    virtual asio::awaitable<std::vector<sql_answer>> query(std::string statements) = 0;

    /// Returns after the next notification, or at once if one has come since the last call.
    virtual asio::awaitable<void> wait_for_notification() = 0;

    /// The text as a literal of SQL.
    virtual std::string quoted(std::string_view text) const = 0;
};

} // namespace coworker::detail
