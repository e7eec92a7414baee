// SPDX-License-Identifier: MIT
#pragma once

#include "outbox/sql_connection.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct pg_conn;

namespace coworker::detail {

/// A connection through libpq, which waits on Asio.
class postgresql_connection : public sql_connection
{
public:
    /// @throws outbox_database_error
    static asio::awaitable<std::unique_ptr<sql_connection>> open(std::string parameters);
    ~postgresql_connection() override;

    asio::awaitable<std::vector<sql_answer>> query(std::string statements) override;
    asio::awaitable<void> wait_for_notification() override;
    std::string quoted(std::string_view text) const override;

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
