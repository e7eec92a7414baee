// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct pg_conn;

namespace coworker::detail {

namespace asio = boost::asio;

/// The answer to one statement.
struct sql_answer
{
    using row = std::vector<std::optional<std::string>>; ///< nothing: NULL

    std::vector<row> rows;
    std::string tag; ///< "DELETE 3"
};

/// A connection through libpq, which waits on Asio. One call at a time. A call that was cancelled, or that threw, leaves it
/// unusable.
class postgresql_connection
{
public:
    /// @throws outbox_database_error
    static asio::awaitable<std::unique_ptr<postgresql_connection>> open(std::string parameters);
    ~postgresql_connection();
    postgresql_connection(const postgresql_connection&) = delete;
    postgresql_connection& operator=(const postgresql_connection&) = delete;

    /// Carries out statements, and returns the answer to each.
    /// @throws outbox_database_error
    asio::awaitable<std::vector<sql_answer>> query(std::string statements);

    /// Returns after the next notification, or at once if one has come since the last call.
    /// @throws outbox_database_error
    asio::awaitable<void> wait_for_notification();

    /// The text as a literal of SQL.
    /// @throws outbox_database_error
    std::string quoted(std::string_view text) const;

private:
    struct finish
    {
        void operator()(pg_conn* connection) const noexcept;
    };

    explicit postgresql_connection(asio::any_io_executor executor) : socket_{std::move(executor)} {}

    asio::awaitable<void> connect(std::string parameters);
    asio::awaitable<void> receive();
    void use_its_socket();
    [[noreturn]] void fail() const;

    std::unique_ptr<pg_conn, finish> connection_;
    asio::posix::stream_descriptor socket_; ///< libpq's, which closes it
};

} // namespace coworker::detail
