// SPDX-License-Identifier: MIT
#pragma once

#include "mysql/mysql_address.hpp"
#include "outbox/sql_connection.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct st_mysql;

namespace coworker::detail {

/// A connection through MariaDB Connector/C, which waits on Asio.
class mysql_connection : public sql_connection
{
public:
    /// @throws outbox_database_error
    static asio::awaitable<std::unique_ptr<sql_connection>> open(mysql_address address);
    ~mysql_connection() override;

    asio::awaitable<std::vector<sql_answer>> query(std::string statements) override;
    asio::awaitable<void> wait_for_notification() override;
    std::string quoted(std::string_view text) const override;

private:
    struct finish
    {
        void operator()(st_mysql* connection) const noexcept;
    };

    explicit mysql_connection(asio::any_io_executor executor) : socket_{std::move(executor)} {}

    void set_options(const mysql_address& address);
    asio::awaitable<void> connect(mysql_address address);
    /// Carries a step on that waits for its socket.
    template<class Step>
    asio::awaitable<void> until_done(int waits_for, Step go_on);
    void use_its_socket();
    [[noreturn]] void fail() const;

    std::unique_ptr<st_mysql, finish> connection_;
    bool is_connected_ = false;
    asio::posix::stream_descriptor socket_; ///< the library's, which closes it
};

} // namespace coworker::detail
