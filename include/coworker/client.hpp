// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/completion.hpp"
#include "coworker/detail/boost_version.hpp"
#include "coworker/error.hpp"
#include "coworker/event.hpp"
#include "coworker/option_duration.hpp"
#include "coworker/text.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/execution_context.hpp>

#include <chrono>
#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace boost::asio::ssl {
class context;
}

namespace coworker {

namespace asio = boost::asio;

class client;

namespace detail {
class connection;
connection& connection_of(const client& redis);
client share(const client& redis);
} // namespace detail

/// Where Redis is and how to talk to it.
struct client_options
{
    /// `redis://[user:password@]host[:port][/database]`, `rediss://…` for TLS,
    /// `unix://[user:password@]/path/to/socket[?db=1]`, `redis+cluster://host:port,host:port` for a Redis Cluster with
    /// some of its nodes. Percent-encoding is understood.
    text url = "redis://localhost:6379";

    /// The user's name. Empty: the one in the URL.
    text user{};
    /// The user's password. Empty: the one in the URL.
    text password{};

    /// The beginning of the connection's name in `CLIENT LIST`; a random part follows, which tells
    /// workers apart. No blanks.
    text client_name = "coworker";

    /// Sentinels as "host:port", or "[address]:port" with an IPv6 address; the default port is 26379. When there
    /// are any, they are asked where the primary called `sentinel_primary` is, and the URL's host and port are not
    /// connected to. With `rediss://` the connections to the Sentinels use TLS as well, with the options below.
    /// Then each certificate has to be made out to the URL's host, or to the host of one of these Sentinels.
    text_list sentinels{};
    /// The name of the primary in the Sentinels' configuration.
    text sentinel_primary = "mymaster";
    /// The user's name at the Sentinels, which is not the one in the URL. Empty: "default", if there is a
    /// `sentinel_password`.
    text sentinel_user{};
    /// The password at the Sentinels. Empty, as the user's name: the client does not sign in to them.
    text sentinel_password{};

    /// For `rediss://`: check the server's certificate and name. Default: yes.
    bool verify_certificate = true;
    /// A file of certificates to trust, in PEM form. Empty: the system's.
    text ca_file{};
    /// This side's certificate, a PEM file, if the server asks for one.
    text certificate_file{};
    /// The private key of that certificate, a PEM file.
    text key_file{};
    /// Called with the TLS context after the options above have been applied.
    owned<std::function<void(asio::ssl::context&)>> configure_tls{};

    /// How long to try for the first connection before calls fail with `errc::unavailable`. The
    /// client goes on trying. Zero: wait for ever.
    option_duration connect_timeout{5'000};

    /// How long a call other than a worker's own waits for its answer, reconnections included, before
    /// it fails with `errc::timed_out`. Zero: wait for ever.
    option_duration command_timeout{10'000};

    /// How long a server may be silent before the connection counts as lost. The client sends a PING every half of this
    /// time. With Sentinels they are asked as often whether the server is still the primary, and it is left if not. Zero:
    /// no check, no PING and no such question.
    option_duration health_check_interval{10'000};

    /// The longest pause before the first attempt to reconnect. It doubles with each attempt, up to
    /// `reconnect_delay_maximum`; a random part of each pause is left out.
    option_duration reconnect_delay_minimum{50};
    /// The longest pause before any attempt to reconnect. With more than a second, monitors may consider a worker dead
    /// that is about to reconnect; see `handle_options::worker_grace`.
    option_duration reconnect_delay_maximum{1'000};

    /// Accept a server whose maxmemory-policy may evict jobs. Default: refuse it with `errc::evicting_server`.
    bool accept_eviction = false;

    /// Let Redis notify waiting workers of changes (`CLIENT TRACKING`). With false, or where the server refuses, they
    /// poll their queues every `poll_interval`.
    bool tracking = true;
    /// How often queues are polled without `tracking`.
    option_duration poll_interval{100};

    /// Run the client on a strand of its own, so that its operations may be started on any thread, whatever the
    /// executor. With false, the executor has to run one handler at a time, by itself: that of an `io_context`
    /// run by one thread, or a strand.
    bool thread_safe = true;

    /// Receives connection events. Called on the client's executor.
    owned<observer> on_event{};
};

/// Talks to Redis, over one connection that is kept alive. Queues, workers and gateways are made from it and share the
/// connection.
///
/// Connects when it is first used, and again whenever the connection is lost. Requests made meanwhile wait, and are
/// sent on the next connection. A request that was written and not answered fails with `errc::in_doubt`: it is in
/// doubt whether Redis has carried it out.
///
/// **Rest.** A client that nobody needs does not keep its context running: `io_context::run` returns. No call is under
/// way then, nobody waits or listens, and no worker or monitor runs. It closes the connection between 5 and 10 s after
/// the last call, or half a second after it if there is no connection. The next call connects again; no event tells of
/// that. A thread that runs an `io_context` for later calls needs a work guard (`asio::make_work_guard`).
///
///     coworker::client redis{io, "redis://localhost"};
///
/// @par Lifetime  Queues, workers and gateways share the connection, and do not refer to this object: it may be
///   moved, or destroyed before them. When it is destroyed, their operations fail with `errc::stopped`. A client that
///   was moved from can only be destroyed or assigned to.
/// @par Thread safety  Distinct objects: safe. Shared objects: safe, but for assigning, moving and destroying; so
///   are the queues and their operations. Without `client_options::thread_safe` everything has to happen on the
///   executor. If that is an `io_context`'s, an operation on another thread than those before it fails with
///   `errc::wrong_thread`. The constructor refuses a `thread_pool`. On a strand of yours nothing is checked.
class client
{
public:
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// Does not connect yet: the first operation does.
    ///
    /// @throws system_error  `errc::invalid_option` when the URL or another option is unusable.
    explicit client(executor_type executor, client_options options = {});

    /// The same on the executor of an execution context.
    template<std::derived_from<asio::execution_context> Context>
    explicit client(Context& context, client_options options = {})
        : client{executor_type{context.get_executor()}, std::move(options)}
    {}

    /// The same with nothing but a URL.
    template<std::convertible_to<std::string_view> Url>
    explicit client(executor_type executor, const Url& url)
        : client{std::move(executor), client_options{.url = std::string_view{url}}}
    {}
    /// The same on the executor of an execution context.
    template<std::derived_from<asio::execution_context> Context, std::convertible_to<std::string_view> Url>
    explicit client(Context& context, const Url& url)
        : client{executor_type{context.get_executor()}, client_options{.url = std::string_view{url}}}
    {}

    /// Takes over the connection; operations under way go on.
    client(client&& other) noexcept;
    /// Ends the connection that was here, as the destructor does, and takes over the other one.
    client& operator=(client&& other) noexcept;

    /// Ends the connection. Operations that are under way fail with `errc::stopped`.
    ~client();

    /// The executor on which everything of the client runs: with `client_options::thread_safe` a strand on the executor
    /// that the constructor was given, else that executor.
    executor_type get_executor() const;

    /// Connects now rather than at first use, and checks the server. Completes with `void(error_code)`.
    ///
    /// @par Errors  `errc::unavailable` after `client_options::connect_timeout`, `errc::authentication_refused`,
    ///   `errc::server_too_old`, `errc::evicting_server`, `errc::setup_refused`, `errc::read_only_server`;
    ///   `errc::stopped` when the client has ended.
    /// @par Cancellation  terminal, partial, total. The client continues to connect.
    template<class Token = default_token>
    auto async_connect(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return connect(); }, std::forward<Token>(token));
    }

    /// Asks Redis for an answer (`PING`), as health checks do. Completes with `void(error_code)` when it has come.
    ///
    /// @par Errors  Those of `async_connect` and of every request: the connection was lost, or no answer came in time.
    /// @par Cancellation  terminal, partial, total.
    template<class Token = default_token>
    auto async_ping(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return ping(); }, std::forward<Token>(token));
    }

    /// Closes the connection, and completes when nothing of the client runs any more: with `void(error_code)`, never an
    /// error. Operations that are under way fail with `errc::stopped`, and so does every later one.
    ///
    /// @par Cancellation  None: it waits for nothing but its own coroutines.
    template<class Token = default_token>
    auto async_stop(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), asio::cancellation_type::none, [this] { return stop(); },
            std::forward<Token>(token));
    }

    /// The connection's name in `CLIENT LIST`.
    const std::string& client_name() const noexcept;

private:
    friend detail::connection& detail::connection_of(const client& redis);
    friend client detail::share(const client& redis);

    explicit client(std::shared_ptr<detail::connection> shared) noexcept;

    asio::awaitable<void> connect() const;
    asio::awaitable<void> ping() const;
    asio::awaitable<void> stop() const;

    std::shared_ptr<detail::connection> connection_;
    bool is_owner_ = true; ///< ends the connection
};

} // namespace coworker
