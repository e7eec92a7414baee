#include "coworker/session.hpp"

#include "redis/client.hpp"

namespace coworker {

session::session(asio::any_io_executor executor, session_options options)
    : client_{std::make_shared<detail::client>(std::move(executor), std::move(options))}
{}

session::~session()
{
    client_->abandon();
}

asio::any_io_executor session::get_executor() const
{
    return client_->get_executor();
}

asio::awaitable<void> session::connect()
{
    // What is returned may be awaited when the session is gone.
    return [](std::shared_ptr<detail::client> client) -> asio::awaitable<void> {
        co_await client->ready();
    }(client_);
}

asio::awaitable<void> session::stop()
{
    return [](std::shared_ptr<detail::client> client) -> asio::awaitable<void> {
        co_await client->stop();
    }(client_);
}

const std::string& session::client_name() const noexcept
{
    return client_->name();
}

} // namespace coworker
