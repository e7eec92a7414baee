// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/api.hpp"
#include "gateway/memory_share.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <list>
#include <optional>

namespace coworker::detail {

/// A connection that is being served.
struct open_connection
{
    asio::cancellation_signal cancel;
    asio::ip::tcp::socket* socket = nullptr; ///< while it is open
    bool is_idle = false;                    ///< between two requests, or before the first
    bool is_evictable = true; ///< unless a request is being worked on that may not be sent by everybody
    bool is_evicted = false;  ///< will end soon
    std::list<open_connection>::iterator place{};
};

/// Accepts connections and ends them.
class http_server
{
public:
    http_server(const client& redis, gateway_options options);

    const asio::any_io_executor& get_executor() const noexcept { return executor_; }

    void listen();
    std::uint16_t port() const noexcept { return port_; }
    std::size_t connections() const noexcept { return connections_.size(); }
    /// Somebody is about to begin `run`, on whichever thread.
    void expect_run() noexcept { may_run_ = true; }
    /// Whether it runs, or may begin to.
    bool may_run() const noexcept { return may_run_; }
    asio::awaitable<void> run();
    void stop();
    void reload(gateway_tokens tokens);
    /// Ends without waiting for anything.
    void abandon();

    // For connections:
    const gateway_options& options() const noexcept { return options_; }
    detail::api& api() noexcept { return api_; }
    memory_bound& memory() noexcept { return memory_; }
    bool is_stopping() const noexcept { return stopping_; }
    /// From now on the connection may have to go when another wants in: nothing of it is being worked on.
    void make_evictable(open_connection& connection);

private:
    asio::awaitable<void> run_to_end();
    asio::awaitable<void> accept_loop();
    static void end(open_connection& connection);
    asio::awaitable<void> wait_for_room();
    asio::awaitable<void> make_room_in_system(const error_code& why);
    void evict_one();
    void serve(asio::ip::tcp::socket socket);
    asio::awaitable<void> wait_for_end(std::chrono::steady_clock::time_point until);
    void close_acceptor();

    asio::any_io_executor executor_;
    gateway_options options_;
    detail::api api_;
    memory_bound memory_;
    std::optional<asio::ssl::context> tls_;
    asio::ip::tcp::acceptor acceptor_;
    asio::steady_timer changed_; ///< cancelled when one ends or can be evicted, or the server is to stop
    std::list<open_connection> connections_; ///< of the evictable ones, those that have been so longest first
    std::size_t evicted_ = 0;                ///< of them
    std::chrono::steady_clock::time_point may_warn_at_{};
    std::uint16_t port_ = 0;
    bool started_ = false;
    std::atomic<bool> may_run_ = false;
    bool stopping_ = false;
};

/// Serves one connection to its end. Without TLS when `tls` is null.
asio::awaitable<void> serve_connection(asio::ip::tcp::socket socket, http_server& server,
                                       open_connection& self, asio::ssl::context* tls);

} // namespace coworker::detail
