// SPDX-License-Identifier: MIT
#include "gateway/server.hpp"

#include "use_file.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <string>

namespace coworker::detail {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;

void check(bool is_usable, const char* what)
{
    if (!is_usable)
        throw explained_error{errc::invalid_option, what};
}

gateway_options checked(gateway_options options)
{
    check_listen_address(options.address, !options.tokens.get().empty());
    check(options.certificate_file.empty() == options.key_file.empty(),
          "certificate_file and key_file: give both, or neither");
    check(options.body_limit >= 1, "body_limit is at least 1");
    check(options.header_limit >= 1024 && options.header_limit <= 1024 * 1024,
          "header_limit is from 1 KiB to 1 MiB");
    check(options.jobs_per_request >= 1, "jobs_per_request is at least 1");
    for (const auto& beginning : options.effect_keys)
        check(!beginning.empty(), "what keys of effects begin with is not empty");
    check(options.connection_limit >= 1, "connection_limit is at least 1");
    check(options.lease >= 100ms, "a lease is at least 100 ms");
    check(options.remember_ids >= 1s, "remember_ids is at least a second");
    check(options.confirmation_limit >= 1ms && options.confirmation_limit <= 1min,
          "confirmation_limit is 1 ms to one minute");
    check(options.idle_timeout > 0s && options.header_timeout > 0s && options.body_timeout > 0s &&
              options.write_timeout > 0s,
          "the gateway's timeouts are greater than zero");
    return options;
}

std::optional<asio::ssl::context> make_server_tls(const gateway_options& options)
{
    if (options.certificate_file.empty())
        return std::nullopt;
    asio::ssl::context tls{asio::ssl::context::tls_server};
    tls.set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                    asio::ssl::context::no_tlsv1_1);
    // With forward secrecy only, as TLS 1.3 has it always: who gets the key later cannot read what was recorded.
    if (SSL_CTX_set_cipher_list(tls.native_handle(), "ECDHE+AESGCM:ECDHE+CHACHA20") != 1)
        throw explained_error{errc::invalid_option,
                              "this OpenSSL has no cipher for TLS 1.2 with forward secrecy"};
    use_file("certificate_file", options.certificate_file,
             [&](auto& file) { tls.use_certificate_chain_file(file); });
    use_file("key_file", options.key_file,
             [&](auto& file) { tls.use_private_key_file(file, asio::ssl::context::pem); });
    return tls;
}

} // namespace

http_server::http_server(const client& redis, gateway_options options)
    : executor_{redis.get_executor()}, options_{checked(std::move(options))}, api_{redis, options_},
      memory_{std::max(options_.memory_limit, options_.body_limit)}, tls_{make_server_tls(options_)},
      acceptor_{executor_}, changed_{executor_}
{}

void http_server::listen()
{
    if (acceptor_.is_open())
        return;
    const tcp::endpoint where{asio::ip::make_address(options_.address.str()), options_.port};
    acceptor_.open(where.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address{true});
    acceptor_.bind(where);
    acceptor_.listen();
    port_ = acceptor_.local_endpoint().port();
}

asio::awaitable<void> http_server::run()
{
    if (std::exchange(started_, true))
        throw system_error{errc::already_running};
    // A coroutine of its own has a cancellation state of its own, which is changed there.
    co_await asio::co_spawn(executor_, run_to_end(), asio::use_awaitable);
}

asio::awaitable<void> http_server::run_to_end()
{
    if (!stopping_)
        listen();
    co_await accept_loop();
    close_acceptor();
    stopping_ = true;

    // Cancelled rather than stopped: nothing is waited for.
    const auto state = co_await asio::this_coro::cancellation_state;
    const bool is_cancelled = state.cancelled() != asio::cancellation_type::none;
    co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
    co_await asio::this_coro::throw_if_cancelled(false);
    if (!is_cancelled)
        co_await wait_for_end(std::chrono::steady_clock::now() + options_.shutdown_timeout);
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    for (auto i = connections_.begin(); i != connections_.end();)
        end(*i++);
    co_await wait_for_end(asio::steady_timer::time_point::max());
    api_.stop(); // also if this was cancelled
    may_run_ = false;
}

void http_server::stop()
{
    stopping_ = true;
    close_acceptor();
    api_.stop();
    changed_.cancel();
    for (auto i = connections_.begin(); i != connections_.end();) {
        auto& connection = *i++;
        if (connection.is_idle)
            end(connection);
    }
}

void http_server::reload(gateway_tokens tokens)
{
    check(tokens.get().empty() == options_.tokens.get().empty(),
          "a gateway that was started with a token keeps having one, and one without stays without");
    guard visitors{tokens.get()};
    auto tls = make_server_tls(options_); // connections that are open keep the old one
    api_.let_in(std::move(visitors));
    options_.tokens = std::move(tokens);
    if (tls)
        tls_ = std::move(tls);
}

void http_server::abandon()
{
    stop();
    for (auto i = connections_.begin(); i != connections_.end();)
        end(*i++);
}

/// The signal alone would be lost on a reader that is about to go on with bytes that have just come.
void http_server::end(open_connection& connection)
{
    if (connection.socket != nullptr) {
        error_code ignored;
        connection.socket->shutdown(tcp::socket::shutdown_both, ignored);
    }
    connection.cancel.emit(asio::cancellation_type::terminal);
}

void http_server::close_acceptor()
{
    error_code ignored;
    acceptor_.close(ignored);
}

asio::awaitable<void> http_server::accept_loop()
{
    co_await asio::this_coro::throw_if_cancelled(false);
    const auto is_cancelled = [](const asio::cancellation_state& state) {
        return state.cancelled() != asio::cancellation_type::none;
    };
    error_code ec;
    while (!stopping_) {
        const auto state = co_await asio::this_coro::cancellation_state;
        if (is_cancelled(state))
            co_return;
        if (connections_.size() >= options_.connection_limit) {
            co_await wait_for_room();
            continue;
        }
        tcp::socket socket{executor_};
        co_await acceptor_.async_accept(socket, asio::redirect_error(asio::use_awaitable, ec));
        if (!ec) {
            serve(std::move(socket));
        } else if (ec != asio::error::operation_aborted && ec != asio::error::connection_aborted) {
            co_await make_room_in_system(ec);
        }
    }
}

/// With as many connections as there may be, makes room for a client that wants in: whose next request has been
/// awaited for the longest time has to go. Returns when something has changed.
asio::awaitable<void> http_server::wait_for_room()
{
    error_code ec;
    co_await acceptor_.async_wait(tcp::acceptor::wait_read, asio::redirect_error(asio::use_awaitable, ec));
    if (ec || connections_.size() < options_.connection_limit)
        co_return;
    if (connections_.size() - evicted_ >= options_.connection_limit)
        evict_one();
    changed_.expires_at(asio::steady_timer::time_point::max());
    co_await changed_.async_wait(asio::redirect_error(asio::use_awaitable, ec));
}

/// For want of file descriptors or memory: what would be accepted waits in the system's queue.
asio::awaitable<void> http_server::make_room_in_system(const error_code& why)
{
    const auto now = std::chrono::steady_clock::now();
    if (options_.on_event && now >= may_warn_at_) {
        may_warn_at_ = now + 10s;
        const auto text = "no connection can be accepted beside " + std::to_string(connections_.size()) +
                          ", so an idle one is closed: " + why.message();
        options_.on_event.get()({.kind = event_kind::warning, .message = text});
    }
    evict_one();
    error_code ec;
    changed_.expires_after(100ms);
    co_await changed_.async_wait(asio::redirect_error(asio::use_awaitable, ec));
}

void http_server::evict_one()
{
    for (auto& connection : connections_)
        if (connection.is_evictable && !connection.is_evicted) {
            connection.is_evicted = true;
            ++evicted_;
            ++api_.counts().evicted;
            end(connection);
            return;
        }
}

void http_server::make_evictable(open_connection& connection)
{
    connection.is_evictable = true;
    connections_.splice(connections_.end(), connections_, connection.place);
    if (connections_.size() >= options_.connection_limit)
        changed_.cancel();
}

void http_server::serve(tcp::socket socket)
{
    const auto self = connections_.emplace(connections_.end());
    self->place = self;
    auto& counts = api_.counts();
    ++counts.accepted;
    counts.connections = connections_.size();
    auto ended = [this, self](std::exception_ptr) {
        evicted_ -= self->is_evicted;
        connections_.erase(self);
        api_.counts().connections = connections_.size();
        changed_.cancel();
    };
    asio::co_spawn(executor_, serve_connection(std::move(socket), *this, *self, tls_ ? &*tls_ : nullptr),
                   asio::bind_cancellation_slot(self->cancel.slot(), ended));
}

asio::awaitable<void> http_server::wait_for_end(std::chrono::steady_clock::time_point until)
{
    error_code ec;
    while (!connections_.empty() && std::chrono::steady_clock::now() < until) {
        changed_.expires_at(until);
        co_await changed_.async_wait(asio::redirect_error(asio::use_awaitable, ec));
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none)
            co_return;
    }
}

} // namespace coworker::detail

namespace coworker {

gateway::gateway(const client& redis, gateway_options options)
    : server_{std::make_shared<detail::http_server>(redis, std::move(options))}
{}

gateway::gateway(gateway&& other) noexcept = default;

gateway& gateway::operator=(gateway&& other) noexcept
{
    std::swap(server_, other.server_);
    gateway{std::move(other)}; // what was here ends now
    return *this;
}

gateway::~gateway()
{
    if (!server_ || !server_->may_run())
        return;
    const auto executor = get_executor();
    asio::dispatch(executor, [server = std::move(server_)] { server->abandon(); });
}

gateway::executor_type gateway::get_executor() const
{
    return server_->get_executor();
}

void gateway::listen()
{
    server_->listen();
}

std::uint16_t gateway::port() const noexcept
{
    return server_->port();
}

std::size_t gateway::connections() const noexcept
{
    return server_->connections();
}

asio::awaitable<void> gateway::run()
{
    server_->expect_run();
    return [](std::shared_ptr<detail::http_server> server) -> asio::awaitable<void> {
        co_await server->run();
    }(server_);
}

void gateway::reload(gateway_tokens tokens)
{
    server_->reload(std::move(tokens));
}

void gateway::stop()
{
    asio::dispatch(server_->get_executor(), [server = server_] { server->stop(); });
}

} // namespace coworker
