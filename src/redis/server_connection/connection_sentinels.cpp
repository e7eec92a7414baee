// SPDX-License-Identifier: MIT
#include "redis/sentinels.hpp"
#include "redis/server_connection/connection_setup.hpp"
#include "redis/server_connection/server_check.hpp"
#include "redis/server_connection/server_connection.hpp"
#include "redis/tls.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/redis/config.hpp>
#include <boost/redis/connection.hpp>
#include <boost/redis/request.hpp>

#include <algorithm>

/// A client that Sentinels have led to the primary goes on asking them. A primary that is cut from its replicas and from
/// them does not know that it has been replaced: it answers as ever, and what it accepts is lost when it hears of that.
namespace coworker::detail {

namespace redis = boost::redis;

namespace {

/// How long calls to a server that has been replaced may still be answered.
constexpr std::chrono::milliseconds time_to_answer{500};

} // namespace

asio::awaitable<void> server_connection::sentinel_loop()
{
    const auto interval = options().health_check_interval;
    if (options().sentinels.empty() || interval.count() == 0)
        co_await until_stopping();
    asio::steady_timer timer{get_executor()};
    while (!is_stopping()) {
        timer.expires_after(interval);
        co_await timer.async_wait(asio::use_awaitable);
        try {
            co_await ask_sentinels_again();
        } catch (const system_error& error) {
            if (is_stopping() || error.code() == asio::error::operation_aborted)
                throw;
            warn_once(error.what()); // nonsense was answered
        }
    }
}

/// Leaves the server if the Sentinels name another one, which says itself that it is a primary.
asio::awaitable<void> server_connection::ask_sentinels_again()
{
    const auto here = run_id_;
    if (!connected_ || barred_ || here.empty())
        co_return;
    std::function<asio::ssl::context()> tls = [this] { return make_tls(options(), address_); };
    const auto named = co_await ask_all_sentinels(get_executor(), std::move(tls), where_to_connect());
    if (!named || named->run_id == here)
        co_return;
    // They may not have noticed yet that the primary was started again: so it is asked itself.
    const auto there = co_await facts_of_server_at(named->where);
    const bool is_other = !there.run_id.empty() && there.run_id != here && !there.is_read_only;
    if (!is_other || run_id_ != here || !connected_)
        co_return;
    // Who knows of it is asked first from now on.
    const auto knows = sentinels_.begin() + static_cast<std::ptrdiff_t>(named->sentinel);
    std::rotate(sentinels_.begin(), knows, knows + 1);
    leave_replaced_server(named->where.host + ':' + named->where.port);
    // If it is frozen, it may hand out jobs later that its successor hands out as well.
    asio::steady_timer timer{get_executor(), time_to_answer};
    co_await timer.async_wait(asio::use_awaitable);
    if (leaving_ && run_id_ == here)
        connection_->cancel(redis::operation::run); // connect_loop goes on
}

asio::awaitable<server_facts> server_connection::facts_of_server_at(redis::address where)
{
    auto there = where_to_connect();
    there.sentinel.addresses.clear();
    there.addr = std::move(where);
    redis::request request;
    if (!address_.password.empty())
        request.push("AUTH", address_.user.empty() ? "default" : address_.user, address_.password);
    request.push("INFO");
    auto tls = make_tls(options(), address_);
    const auto told = co_await ask_once(get_executor(), std::move(tls), std::move(there), std::move(request));
    if (told.tree.empty() || told.back().is_error())
        co_return server_facts{};
    co_return parse_info(told.back().text());
}

/// Ends the connection to a server in whose place there is another one. Calls wait for that.
void server_connection::leave_replaced_server(const std::string& successor)
{
    emit(event_kind::warning,
         "the Sentinels name another primary, so another connection is made: " + successor);
    barred_ = true;
    gate_.close();
    barred_because_ = "the Sentinels name another primary, " + successor;
    leave();
}

} // namespace coworker::detail
