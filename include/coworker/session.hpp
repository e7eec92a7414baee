#pragma once

#include "coworker/error.hpp"
#include "coworker/event.hpp"
#include "coworker/text.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

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

namespace detail {
class client;
}

/// Where Redis is and how to talk to it.
struct session_options
{
    /// `redis://[user:password@]host[:port][/database]`, `rediss://…` for TLS, or
    /// `unix://[user:password@]/path/to/socket[?db=1]`. Percent-encoding is understood.
    text url = "redis://localhost:6379";

    /// Overrides those in the URL when not empty.
    text user{};
    text password{};

    /// The beginning of the connection's name in `CLIENT LIST`; a random part follows, which tells
    /// workers apart. No blanks.
    text client_name = "coworker";

    /// Sentinels as "host:port". When there are any, the URL's host is ignored, and the primary
    /// called `sentinel_primary` is asked for.
    text_list sentinels{};
    text sentinel_primary = "mymaster";

    /// For `rediss://`: check the server's certificate and name. Default: yes.
    bool verify_certificate = true;
    /// A file of certificates to trust, in PEM form. Empty: the system's.
    text ca_file{};
    /// This side's certificate and key, in PEM form, if the server asks for them.
    text certificate_file{};
    text key_file{};
    /// Called with the TLS context after the options above have been applied.
    detail::kept<std::function<void(asio::ssl::context&)>> configure_tls{};

    /// How long to try for the first connection before calls fail with `errc::unavailable`. The
    /// attempts go on in the background. Zero: wait for ever.
    std::chrono::milliseconds connect_timeout{5'000};

    /// How long a call other than a worker's own waits for its answer, reconnections included, before
    /// it fails with `errc::timed_out`. Zero: wait for ever.
    std::chrono::milliseconds command_timeout{10'000};

    /// A server that stays silent for this long counts as lost; a PING is sent each half of it, so that a server
    /// has something to answer. Zero: never.
    std::chrono::milliseconds health_check_interval{10'000};

    /// Pause before a reconnection: at first at most `minimum`, doubled each time up to `maximum`,
    /// and a random part of it left out. More than a second makes a worker look dead to others.
    std::chrono::milliseconds reconnect_delay_minimum{50};
    std::chrono::milliseconds reconnect_delay_maximum{1'000};

    /// Go on although the server's maxmemory-policy may throw jobs away. Default: refuse.
    bool accept_eviction = false;

    /// Ask Redis to announce changes (CLIENT TRACKING), so that waiting needs no polling. Where the
    /// server refuses, or with false, queues are polled every `poll_interval`.
    bool tracking = true;
    std::chrono::milliseconds poll_interval{100};

    /// Told of connection events.
    detail::kept<observer> on_event{};
};

/// One connection to Redis, kept alive, shared by everything that is given the session.
///
/// Connects when it is first used, and again whenever the connection is lost. Requests made
/// meanwhile wait and are sent then; a request that was written but not answered fails with
/// `errc::unanswered`, since nobody knows whether it was carried out.
///
/// The executor must run one handler at a time: that of an `io_context` run by one thread, or a
/// strand. All use of the session happens there.
///
/// @par Thread safety  Distinct objects: safe. Shared objects: unsafe.
class session
{
public:
    /// @throws system_error  `errc::invalid_option` when the URL or another option is unusable.
    session(asio::any_io_executor executor, session_options options = {});

    /// The same with nothing but a URL.
    template<std::convertible_to<std::string_view> Url>
    session(asio::any_io_executor executor, const Url& url)
        : session{std::move(executor), session_options{.url = std::string_view{url}}}
    {}

    /// Ends the connection. Calls that are waiting fail with `errc::stopped`.
    ~session();

    session(const session&) = delete;
    session& operator=(const session&) = delete;

    asio::any_io_executor get_executor() const;

    /// Connects now rather than at first use, and checks the server.
    ///
    /// @par Cancellation  terminal, partial, total. The connection goes on in the background.
    /// @par Errors  Throws `system_error`: what is wrong with the server, and what to do.
    asio::awaitable<void> connect();

    /// Closes the connection and waits until nothing of the session runs any more. Calls that are
    /// waiting fail with `errc::stopped`. A stopped session cannot be used again.
    asio::awaitable<void> stop();

    /// The connection's name in `CLIENT LIST`.
    const std::string& client_name() const noexcept;

    /// For coworker's own parts.
    detail::client& client() noexcept { return *client_; }

private:
    std::shared_ptr<detail::client> client_;
};

} // namespace coworker
