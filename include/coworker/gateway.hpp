#pragma once

#include "coworker/client.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// In the library `coworker::gateway`.
namespace coworker {

namespace detail {
class http_server;
}

/// Where a gateway listens, whom it lets in and how much it bears.
struct gateway_options
{
    /// The IP address to listen on; "::" for all.
    std::string address = "127.0.0.1";
    /// Zero: any that is free; `gateway::port` says which.
    std::uint16_t port = 8080;

    /// What clients have to send as `Authorization: Bearer <token>`. Without a token the gateway listens on the
    /// loopback device only, and answers under the names of that only.
    std::string token{};

    /// PEM files. When both are given, clients speak TLS.
    std::string certificate_file{};
    std::string key_file{};

    /// The types of jobs that are taken, each the name of a list queue. Empty: any name of 1 to 128 letters,
    /// digits, '-', '_' and '.' that begins with a letter or a digit.
    std::vector<std::string> types{};

    /// What the keys of the managed queues begin with that can be looked after: `managed_options::prefix`.
    std::string managed_prefix = "ql:";

    /// The largest body of a request, in bytes. At least 1.
    std::size_t body_limit = 1024 * 1024;
    /// The largest header of a request, in bytes. From 1 KiB to 1 MiB.
    std::size_t header_limit = 8 * 1024;
    /// Jobs in one request. At least 1.
    std::size_t jobs_per_request = 1000;
    /// For one more, the connection is closed whose next request has been awaited for longest, also if a part of its
    /// header has come; if there is none, the client waits in the system's queue. At least 1.
    std::size_t connection_limit = 1024;

    /// How long the id of a job that a client chose is remembered, so that sending it again queues nothing. At
    /// least a second.
    std::chrono::milliseconds remember_ids = std::chrono::hours{24};

    /// How long a connection may stay open between two requests; how long a client may take for the header (and
    /// the TLS handshake), for the body, and to read the answer. All greater than zero.
    std::chrono::milliseconds idle_timeout{60'000};
    std::chrono::milliseconds header_timeout{10'000};
    std::chrono::milliseconds body_timeout{30'000};
    std::chrono::milliseconds write_timeout{30'000};

    /// How long `stop` waits for requests that are under way.
    std::chrono::milliseconds drain_time{10'000};
};

/// An HTTP server through which any program queues jobs, and looks after the queues.
///
/// A job of type "mail" goes into the list queue "mail". The answer says that it is queued once Redis has stored it,
/// never earlier. Requests wait for Redis as long as `client_options::command_timeout` says.
///
/// A connection's requests are answered one after another. Of those that a client sends before it has been
/// answered, no more is read ahead than `header_limit` and a few KiB.
///
/// @par Lifetime  It shares the inside of the client, which may be moved; requests fail when the client has ended. A gateway
///   may be moved, too; one that was moved from can only be destroyed or assigned to. Destroying a gateway that serves
///   closes its connections at once and ends `async_run`.
/// @par Thread safety  `async_run` and `stop` may be called on any thread; the others on the client's executor, or while
///   the gateway does not run.
class gateway
{
public:
    using executor_type = asio::any_io_executor;

    /// @throws system_error  `errc::invalid_option`: what is wrong and what to do.
    explicit gateway(const client& redis, gateway_options options = {});
    gateway(gateway&& other) noexcept;
    gateway& operator=(gateway&& other) noexcept;
    ~gateway();

    /// The client's executor.
    executor_type get_executor() const;

    /// Begins to listen; clients that connect wait for `async_run`. Throws the system's error when the address or
    /// port cannot be used.
    void listen();

    /// The port, once it listens.
    std::uint16_t port() const noexcept;
    std::size_t connections() const noexcept;

    /// Serves until `stop`, and listens first if that has not been done. Once only. `void(error_code)`.
    ///
    /// @par Errors  `errc::already_running`; the system's error when the address or port cannot be used.
    /// @par Cancellation  terminal. Connections are closed at once; an answer under way may be lost, and
    ///   whether its job was queued is then unknown to the client.
    template<class Token = default_token>
    auto async_run(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), asio::cancellation_type::terminal, [this] { return run(); },
            std::forward<Token>(token));
    }

    /// Takes no more connections, closes idle ones, lets requests end that are under way, and ends `async_run`.
    void stop();

private:
    asio::awaitable<void> run();

    std::shared_ptr<detail::http_server> server_;
};

} // namespace coworker
