// SPDX-License-Identifier: MIT
#include "redis/sentinels.hpp"
#include "redis/server_connection/connection_setup.hpp"
#include "redis/server_connection/server_connection.hpp"
#include "redis/tls.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/redis/config.hpp>
#include <boost/redis/request.hpp>

/// With what a client's connection begins, and what happens when Redis refuses it.
namespace coworker::detail {

namespace redis = boost::redis;

redis::config server_connection::where_to_connect() const
{
    redis::config config;
    config.use_ssl = address_.kind == transport::tls;
    config.addr = {address_.host, address_.port};
    config.unix_socket = address_.path;
    // Boost.Redis takes a server for lost after twice this time: so it is lost after the time that the option says.
    config.health_check_interval = options().health_check_interval / 2;
    config.reconnect_wait_interval = std::chrono::seconds{0}; // connect_loop waits, with jitter
    config.read_buffer_append_size = 16 * 1024;               // is filled with zeros before each read
    for (const auto& sentinel : sentinels_)
        config.sentinel.addresses.push_back(parse_sentinel(sentinel));
    config.sentinel.use_ssl = config.use_ssl;
    if (!options().sentinel_user.empty() || !options().sentinel_password.empty()) {
        config.sentinel.setup.clear();
        config.sentinel.setup.hello(options().sentinel_user.empty() ? "default"
                                                                    : options().sentinel_user.str(),
                                    options().sentinel_password.str());
    }
    config.sentinel.master_name = options().sentinel_primary;
    config.use_setup = true;
    config.setup.clear();
    return config;
}

connection_setup server_connection::make_setup() const
{
    connection_setup setup;
    setup.user = address_.user;
    setup.password = address_.password;
    setup.name = name();
    setup.database = address_.database;
    setup.tracking = tracks();
    setup.channels = channels()->channels();
    std::erase(setup.channels, control_channel_); // some listen to it
    setup.channels.insert(setup.channels.begin(), control_channel_);
    return setup;
}

redis::config server_connection::make_config() const
{
    auto config = where_to_connect();
    (void)make_setup().add_to(config.setup);
    return config;
}

/// Redis refused a command of the set-up: asks for each of them alone, and acts on what it says.
asio::awaitable<std::string> server_connection::find_out_why_the_setup_failed()
{
    using namespace asio::experimental::awaitable_operators;
    std::optional<setup_refusal> refusal;
    const auto setup = make_setup();
    const auto where = where_to_connect();
    const auto ask = [&]() -> asio::awaitable<void> {
        try {
            std::function<asio::ssl::context()> tls = [this] { return make_tls(options(), address_); };
            refusal = co_await find_setup_refusal(get_executor(), std::move(tls), where, setup);
        } catch (
            const std::exception&) { // an answer that makes no sense, a file that is gone: it stays unknown
        }
    };
    co_await (ask() || until_stopping());
    if (!refusal || is_stopping())
        co_return std::string{}; // passed; the next attempt will tell
    switch (judge(*refusal)) {
    case setup_verdict::passes:
        break;
    case setup_verdict::poll:
        fall_back_to_polling(refusal->text);
        break;
    case setup_verdict::authentication_refused:
        if (!fit_)
            fail(errc::authentication_refused, refusal->text);
        break;
    case setup_verdict::too_old:
        if (!fit_)
            fail(errc::server_too_old, refusal->text);
        break;
    case setup_verdict::refused:
        if (!fit_)
            fail(errc::setup_refused, refusal->text);
        break;
    }
    co_return refusal->text;
}

asio::awaitable<void> server_connection::until_stopping()
{
    while (!is_stopping())
        co_await state_changed_.wait();
}

} // namespace coworker::detail
