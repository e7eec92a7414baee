// SPDX-License-Identifier: MIT
#include "coworker/client.hpp"

#include "redis/connection/connection.hpp"

#include <boost/redis/request.hpp>

namespace coworker {

client::client(executor_type executor, client_options options)
    : connection_{detail::make_connection(std::move(executor), std::move(options))}
{}

client::client(std::shared_ptr<detail::connection> shared) noexcept
    : connection_{std::move(shared)}, is_owner_{false}
{}

client::client(client&& other) noexcept = default;

client& client::operator=(client&& other) noexcept
{
    std::swap(connection_, other.connection_);
    std::swap(is_owner_, other.is_owner_);
    client{std::move(other)}; // what was here ends now
    return *this;
}

client::~client()
{
    if (connection_ && is_owner_)
        connection_->abandon();
}

client::executor_type client::get_executor() const
{
    return connection_->get_executor();
}

// These may begin when the client is gone.

asio::awaitable<void> client::connect() const
{
    return [](std::shared_ptr<detail::connection> connection) -> asio::awaitable<void> {
        co_await connection->ready();
    }(connection_);
}

asio::awaitable<void> client::ping() const
{
    return [](std::shared_ptr<detail::connection> connection) -> asio::awaitable<void> {
        boost::redis::request ping;
        ping.push("PING");
        detail::reply answer;
        co_await connection->exec(ping, answer);
        answer.throw_if_error();
    }(connection_);
}

asio::awaitable<void> client::stop() const
{
    return [](std::shared_ptr<detail::connection> connection) -> asio::awaitable<void> {
        co_await connection->stop();
    }(connection_);
}

const std::string& client::client_name() const noexcept
{
    return connection_->name();
}

detail::connection& detail::connection_of(const client& redis)
{
    return *redis.connection_;
}

/// Another face of the same connection, which ends with the client all the same.
client detail::share(const client& redis)
{
    return client{redis.connection_};
}

} // namespace coworker
