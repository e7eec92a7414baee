// SPDX-License-Identifier: MIT
#include "redis/server_connection/server_connection.hpp"
#include "redis/tls.hpp"
#include "redis/until_one_ends.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/redis/connection.hpp>
#include <boost/redis/error.hpp>

/// How a client connects, hears from the server, and ends a connection that nobody needs.
namespace coworker::detail {

namespace redis = boost::redis;

namespace {

/// How often it is looked whether somebody needs the connection, and whether it may come to be.
constexpr std::chrono::seconds time_until_rest{5};
constexpr std::chrono::milliseconds time_until_giving_up{250};

std::string describe(const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& thrown) {
        return thrown.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

/// What decides about the node of a cluster that hands a message on: its channel; of those to a connection, which each
/// node passes on, the key in the second line.
std::string_view about(std::string_view channel, std::string_view message, std::string_view control)
{
    if (channel != control)
        return channel;
    const auto end = message.find('\n');
    const auto rest = end == message.npos ? message : message.substr(end + 1);
    return rest.substr(0, rest.find('\n'));
}

} // namespace

// --- connecting --------------------------------------------------------------------

void server_connection::start()
{
    if (started_ || is_stopping())
        return;
    started_ = true;
    if (is_stopping()) // since just now, by another thread
        ended_ = true;
    else
        begin_run();
}

void server_connection::begin_run()
{
    idle_ = false;
    // The coroutine owns the connection: it may outlive the client, never the other way round.
    asio::co_spawn(
        get_executor(), [this, self = shared_from_this()] { return run(); },
        [this, self = shared_from_this()](std::exception_ptr error) { run_has_ended(error); });
}

asio::awaitable<void> server_connection::run()
{
    co_await until_one_ends(connect_loop(), receive_loop(), check_loop(), sentinel_loop(), idle_loop());
}

void server_connection::run_has_ended(const std::exception_ptr& error)
{
    connection_lost();
    if (idle_ && !error && !is_stopping()) {
        if (is_needed()) { // by somebody who has come meanwhile
            begin_run();
            return;
        }
        started_ = false;
        close_socket();
        return;
    }
    if (error && !is_stopping()) // without one of its loops, it would only look connected
        fail(errc::stopped, describe(error));
    ended_ = true;
    state_changed_.notify();
    watches()->notify_all();
}

/// Only the end of the object closes its socket. Where the certificates cannot be read any more, it stays, and closes the
/// socket when it connects again.
void server_connection::close_socket()
{
    try {
        make_link();
    } catch (const std::exception&) {
    }
}

asio::awaitable<void> server_connection::connect_loop()
{
    while (!is_stopping() && !idle_) {
        last_log_line_.clear();
        tls_trouble_->text.clear();
        const auto config = make_config();
        connecting_since_ = clock::now();
        const auto [ec] = co_await connection_->async_run(config, asio::as_tuple(asio::use_awaitable));
        if (is_stopping() || idle_)
            break;
        const bool was_connected = connected_;
        const bool was_left = leaving_;
        connection_lost();
        std::string why;
        if (ec == redis::error::resp3_hello)
            why = co_await find_out_why_the_setup_failed();
        if (is_stopping())
            break;
        last_trouble_ = was_left      ? "it was left, since " + barred_because_
                        : why.empty() ? why_lost(ec, was_connected)
                                      : "refused: " + why;
        told_ = false;
        emit(event_kind::disconnected, last_trouble_);
        backoff_timer_.expires_after(backoff_.next(random_));
        error_code ignored;
        co_await backoff_timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
}

void server_connection::connection_lost()
{
    gate_.close();
    // What waits to be written would be written behind the set-up of the next connection, before that is checked; or
    // never.
    connection_->cancel(redis::operation::exec);
    // Where all calls were answered before it was ended, nothing can come late.
    const bool is_clean = (idle_ || is_stopping()) && !unanswered_ && requests_sent_ == 0;
    if (client_id_ && !is_clean)
        former_->add(*client_id_, run_id_);
    client_id_.reset();
    unanswered_ = false;
    const bool was_connected = std::exchange(connected_, false);
    check_due_ = resting_ = false;
    backoff_timer_.cancel();
    // A server that accepts no writes, or whose answers make no sense, is there: but it is to be asked less and less
    // often.
    const bool was_left = std::exchange(leaving_, false);
    if (was_connected && fit_ && !was_left && !barred_)
        backoff_.reset();
}

std::string server_connection::why_lost(error_code ec, bool was_connected) const
{
    if (!tls_trouble_->text.empty())
        return "the server's certificate is refused: " + tls_trouble_->text;
    const bool uses_tls = address_.kind == transport::tls;
    if (uses_tls && (ec == redis::error::ssl_handshake_timeout ||
                     last_log_line_.find("wrong version number") != std::string::npos))
        return "the server does not answer as one with TLS; the URL of a port without it begins with "
               "redis://";
    const bool makes_no_sense = ec == asio::error::eof || ec == asio::error::connection_reset ||
                                ec == redis::error::invalid_data_type;
    if (!uses_tls && !was_connected && makes_no_sense)
        return "what is there does not answer as Redis; the URL of a port for TLS begins with rediss://";
    return last_log_line_.empty() ? ec.message() : last_log_line_;
}

std::string server_connection::trouble() const
{
    if (!last_trouble_.empty())
        return last_trouble_;
    return last_log_line_.empty() ? "no answer" : last_log_line_;
}

/// What errors call the server. Where Sentinels name it, the host of the URL is nobody's.
std::string server_connection::shown_place() const
{
    if (options().sentinels.empty())
        return address_.display();
    return "the primary '" + options().sentinel_primary.str() + "' that the Sentinels name";
}

void server_connection::fail(errc code, const std::string& detail)
{
    failure_.emplace(code, shown_place() + ": " + detail);
    // In a cluster another node does what a replica does not do.
    if (code != errc::read_only_server || !hears_)
        emit(event_kind::warning, failure_->what());
    abandon();
}

// --- resting ----------------------------------------------------------------------------

/// A connection that nobody needs would keep the program's context running. It is ended soon if the server is away, and
/// otherwise after a while, since connecting costs more than a call does.
asio::awaitable<void> server_connection::idle_loop()
{
    asio::steady_timer look{get_executor()};
    do {
        used_ = false;
        look.expires_after(connected_ ? clock::duration{time_until_rest} : time_until_giving_up);
        co_await look.async_wait(asio::use_awaitable);
    } while (used_ || is_needed());
    idle_ = true;
    connection_lost(); // who comes from now on waits for the next one
}

/// Whether somebody calls, waits or listens. The nodes of a cluster end with it.
bool server_connection::is_needed() const noexcept
{
    return requests_under_way_ != 0 || gate_.is_awaited() || !listeners().empty() ||
           watches()->is_awaited() || !channels()->is_empty() || hears_;
}

// --- pushes --------------------------------------------------------------------------

asio::awaitable<void> server_connection::receive_loop()
{
    for (;;) {
        co_await connection_->async_receive2(asio::use_awaitable);
        handle_pushes();
        pushes_.clear();
    }
}

void server_connection::handle_pushes()
{
    const std::span<const reply_node> nodes{pushes_.begin(), pushes_.end()};
    std::size_t begin = 0;
    while (begin != nodes.size()) {
        std::size_t end = begin + 1;
        while (end != nodes.size() && nodes[end].depth != 0)
            ++end;
        handle_push(nodes.subspan(begin, end - begin));
        begin = end;
    }
}

void server_connection::handle_push(std::span<const reply_node> message)
{
    if (message.size() < 2)
        return;
    const auto kind = message[1].value;
    if (kind == "invalidate") {
        if (message.size() < 4) { // without keys: all of them, after FLUSHALL
            watches()->notify_all();
            return;
        }
        for (const auto& key : message.subspan(3))
            watches()->notify(key.value);
    } else if (kind == "message" && message.size() == 4) {
        if (!hears_ || hears_(about(message[2].value, message[3].value, control_channel_)))
            channels()->notify(message[2].value, message[3].value);
    } else if (kind == "subscribe" && message.size() > 2 && message[2].value == control_channel_) {
        connected_ = true;
        check_due_ = true;
        state_changed_.notify();
        watches()->notify_all(); // what had been armed is not armed on this connection
        channels()->notify_new_connection();
        for (auto* who : listeners())
            who->new_connection();
    }
}

} // namespace coworker::detail
