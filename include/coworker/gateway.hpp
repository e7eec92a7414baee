// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/event.hpp"
#include "coworker/option_duration.hpp"
#include "coworker/text.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

/// @file
/// The HTTP gateway. Link the CMake target `coworker::gateway` to use it.
namespace coworker {

namespace detail {
class http_server;
}

/// What a client may do over HTTP. Several are combined with `|`.
enum class gateway_right : unsigned
{
    none = 0,
    look = 1, ///< read everything: queues, jobs, metrics, events
    push = 2, ///< push jobs
    work = 4, ///< take jobs, renew, report on and acknowledge them
    all = 15, ///< everything, also what changes queues and jobs
};

/// What `a` or `b` allows.
constexpr gateway_right operator|(gateway_right a, gateway_right b) noexcept
{
    return static_cast<gateway_right>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// Whether `rights` has everything that `needed` has.
constexpr bool allows(gateway_right rights, gateway_right needed) noexcept
{
    return (rights | needed) == rights;
}

/// A token, whose it is, and what it allows.
struct gateway_token
{
    text name{};  ///< for logs, 1 to 100 visible ASCII characters; no two tokens have the same
    text token{}; ///< visible ASCII characters; no two tokens are the same
    gateway_right rights = gateway_right::all; ///< not `none`
};

/// The tokens of a gateway: any number, such as a `std::vector<gateway_token>`.
using gateway_tokens = owned<std::vector<gateway_token>>;

/// A request that a gateway has answered, or that ended before. The texts are valid during the call only.
struct gateway_request
{
    std::string_view method{}; ///< "POST"; empty: the header could not be read
    std::string_view path{};   ///< as the client wrote it, without its query
    std::string_view peer{};   ///< the client's address and port, "10.0.0.7:51234"
    /// The name of the token that came with it. Empty: none, a wrong one, or the gateway has none.
    std::string_view token{};
    unsigned status = 0;                  ///< of the answer; 0: the client has gone before there was one
    std::uint64_t bytes = 0;              ///< of the answer that were sent, with its header
    std::chrono::nanoseconds duration{0}; ///< from the end of its header to the end of the answer
    /// It asked for a change and was let in. It is none of the many requests that push, take, renew or acknowledge
    /// jobs.
    bool is_change = false;
    std::string_view result{}; ///< of a change: the answer's body, if that is JSON of 1 KiB at most
    std::string_view
        reason{}; ///< of a status of 500 or more: why, for whoever runs the gateway; may be empty
};

/// A function that is told of requests. It is called on the client's executor, between other work, so it must return
/// soon. What it throws is ignored.
using request_observer = std::function<void(const gateway_request&)>;

/// Where a gateway listens, whom it lets in, and its limits.
struct gateway_options
{
    /// The IP address to listen on; "::" for all.
    text address = "127.0.0.1";
    /// The port to listen on. Zero: any free port; `gateway::port` returns it.
    std::uint16_t port = 8080;

    /// Clients have to send one of these tokens as `Authorization: Bearer <token>`. What it does not allow is answered
    /// with 403. Empty: the gateway listens on loopback addresses only, and refuses requests to other host names.
    gateway_tokens tokens{};

    /// The server's certificate chain, a PEM file. With it and `key_file`, clients have to use TLS. Give both or
    /// neither.
    text certificate_file{};
    /// The private key of the certificate, a PEM file.
    text key_file{};

    /// The names of the queues, of both kinds, to which jobs can be pushed and from which they can be taken. Of
    /// list queues, only these are listed. Each has 1 to 512 bytes of UTF-8. Empty: any.
    text_list types{};

    /// How keys and channels begin that workers over HTTP may change with the acknowledgement of a job (see
    /// docs/effects.md). An effect is refused if a key of its command begins with none of these. None is empty.
    /// Keys of queues are refused in any case. Empty, the default: no commands are carried out, only jobs are
    /// pushed.
    text_list effect_keys{};

    /// The prefix of the managed queues that the gateway shows: `managed_options::prefix`.
    text managed_prefix = "ql:";

    /// Is told of each request that has ended, for a log. The default: nobody.
    owned<request_observer> on_request{};
    /// Is told what needs attention (`event_kind::warning`): that file descriptors are used up. The default: nobody.
    owned<observer> on_event{};

    /// The largest body of a request, in bytes. At least 1.
    std::size_t body_limit = 1024 * 1024;
    /// The largest header of a request, in bytes. From 1 KiB to 1 MiB.
    std::size_t header_limit = 8 * 1024;
    /// How many bytes requests and answers may hold in memory, all connections together. That is bodies that are
    /// being read, and answers until clients have read them. Each client that listens to events counts as 1 MiB.
    /// Requests beyond it are answered with 503. It is never less than `body_limit`.
    std::size_t memory_limit = 256 * 1024 * 1024;
    /// How many jobs one request may push. At least 1.
    std::size_t jobs_per_request = 1000;
    /// Maximum number of open connections. At least 1. At the limit, the longest-idle one is closed. A
    /// connection is idle while it waits for its next request, even if a part of the header has arrived. One that
    /// gets an answer for which no token is needed counts as idle, too. If there is none, a new client has to wait.
    std::size_t connection_limit = 1024;
    /// Maximum number of clients that listen to events at the same time; further ones are answered with 503. They count
    /// as connections, too. Zero: nobody may.
    std::size_t event_client_limit = 100;

    /// How long the gateway remembers the id of a job that a client has chosen: during this time, sending the job again
    /// queues nothing. At least a second.
    option_duration remember_ids = std::chrono::hours{24};

    /// `list_queue_options::max_waiting` of the list queues that clients push to: a job beyond that is answered with 429.
    /// Managed queues have a setting of their own. Zero: any number.
    std::uint64_t max_waiting = 0;

    /// How long a push waits for replicas, or for the disk, if the request asks for that (`?durability=`): 1 ms to one
    /// minute. Requests then take as long.
    option_duration confirmation_limit{3'000};

    /// Lease duration of jobs of list queues that workers take over HTTP: how long a job stays reserved without being
    /// renewed. Use the same value as the other workers of these queues (`handle_options::lease`). At least 100 ms.
    /// Managed queues have their own setting.
    option_duration lease{120'000};

    /// How many workers over HTTP a job of a managed queue may take with it: `handle_options::max_crashes`. Zero: no limit.
    unsigned max_crashes = 3;

    /// How long a connection may stay open between two requests. Greater than zero.
    option_duration idle_timeout{60'000};
    /// How long a client may take to send a header, or for the TLS handshake. Greater than zero.
    option_duration header_timeout{10'000};
    /// How long a client may take to send a body. Greater than zero. After five seconds it has to send 1 KiB a second.
    option_duration body_timeout{30'000};
    /// How long a client may take to read an answer. Greater than zero. After five seconds it has to read 1 KiB a second;
    /// what the system keeps for it counts as read.
    option_duration write_timeout{30'000};

    /// The shutdown timeout: how long `stop` waits for requests that are being answered. Zero: it does not wait.
    option_duration shutdown_timeout{10'000};
};

/// An HTTP server through which any program pushes jobs and looks after queues; see docs/http-api.md.
///
/// A job of type "mail" is pushed to the list queue "mail". The gateway answers that it is queued after Redis has
/// stored it. Requests wait for Redis for `client_options::command_timeout` at most.
///
/// The requests of one connection are answered one after another. The gateway reads ahead at most `header_limit` and a
/// few KiB of further requests.
///
/// @par Lifetime  It shares the client's connection: requests fail when the client has ended. A gateway that was moved
///   from can only be destroyed or assigned to. Destroying a running gateway closes its connections at once and ends
///   `async_run`.
/// @par Thread safety  `async_run` and `stop` may be called on any thread, and a gateway may be destroyed on any. The
///   others are for the client's executor, or for as long as the gateway does not run.
class gateway
{
public:
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// Does not listen yet.
    ///
    /// @throws system_error  `errc::invalid_option`; `what()` says what is wrong.
    explicit gateway(const client& redis, gateway_options options = {});
    /// Takes over a gateway, which may run.
    gateway(gateway&& other) noexcept;
    /// The same; the gateway that was here is destroyed.
    gateway& operator=(gateway&& other) noexcept;
    /// Closes all connections at once, and ends `async_run`.
    ~gateway();

    /// The client's executor.
    executor_type get_executor() const;

    /// Begins to listen; clients that connect wait for `async_run`. Does nothing if this listens already.
    ///
    /// @throws system_error  The address or port cannot be used: the system's error.
    void listen();

    /// The port that the gateway listens on; zero before it listens.
    std::uint16_t port() const noexcept;
    /// The number of open connections.
    std::size_t connections() const noexcept;

    /// Serves until `stop` is called. Listens first if `listen` has not been called. Runs once per gateway. Completes
    /// with `void(error_code)`.
    ///
    /// @par Errors  `errc::already_running`; the system's error when the address or port cannot be used.
    /// @par Cancellation  terminal. Connections are closed at once. A client whose answer is lost does not know whether
    ///   its job was queued.
    template<class Token = default_token>
    auto async_run(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), asio::cancellation_type::terminal, [this] { return run(); },
            std::forward<Token>(token));
    }

    /// Takes other tokens, and reads the certificate and its key anew from their files. Requests and connections that
    /// begin from now on are subject to these. Everything stays as it was when this throws.
    ///
    /// @param tokens  as `gateway_options::tokens`. Empty only if there were none before
    /// @throws system_error  `errc::invalid_option`; `what()` says what is wrong.
    void reload(gateway_tokens tokens);

    /// Accepts no more connections, closes idle ones, waits for requests that are being answered, and ends `async_run`.
    void stop();

private:
    asio::awaitable<void> run();

    std::shared_ptr<detail::http_server> server_;
};

} // namespace coworker
