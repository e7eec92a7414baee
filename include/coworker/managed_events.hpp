#pragma once

#include "coworker/client.hpp"
#include "coworker/managed_options.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace coworker {

/// What happens to jobs of the managed queue, told while it happens. Which members of `managed_event` mean
/// something is said at each.
enum class managed_event_kind
{
    put,       ///< A job was put or moved. jid, queue.
    completed, ///< A job is done. jid, queue.
    advanced,  ///< A job is done here and went on. jid, queue, to.
    failed,    ///< A job was given up. jid, worker, group, message.
    lock_lost, ///< A worker does not hold a job any more. jid, worker.
    canceled,  ///< jid; queue and worker unless there was no such job, or nobody held it.

    popped,  ///< A tracked job was handed out. jid.
    stalled, ///< A tracked job's lock has run out. jid.

    tracked,   ///< From now on the job is tracked. jid.
    untracked, ///< It is not any more. jid.

    config_set,   ///< option, value.
    config_unset, ///< option.

    /// Events before this one were missed: count of them, or 0 when the connection was lost and nobody knows.
    missed,
};

/// The name of a kind, such as "lock_lost".
std::string_view to_string(managed_event_kind kind) noexcept;

struct managed_event
{
    managed_event_kind kind = managed_event_kind::missed;

    /// It was told because the job is tracked. Of a tracked job a put, completed, failed or canceled is told twice:
    /// so, with the jid alone, and as of every job. An advanced job is told as completed then.
    bool of_tracked = false;

    std::string jid{};
    std::string queue{};
    std::string worker{};
    std::string group{};
    std::string message{};
    std::string to{};
    std::string option{};
    std::string value{};
    std::size_t count = 0;
};

struct managed_events_options
{
    /// What happens to any job.
    bool all = true;

    /// What happens to tracked jobs, and which jobs are tracked.
    bool tracked = true;

    /// How many events are kept for `async_next`; those beyond it are missed, and said to be. At least 1.
    std::size_t capacity = 10'000;
};

/// Hears what happens to the jobs of all managed queues that share a prefix, over the client's connection.
///
///     coworker::managed_events events{redis};
///     for (;;) {
///         const auto event = co_await events.async_next();
///         …
///     }
///
/// What is told is what qless' scripts publish: pops, retries and heartbeats of jobs that are not tracked are
/// not. Events come in the order in which Redis published them. They are kept from `async_listen` on, whether or not
/// somebody waits, and after the connection was lost they go on, behind an event that says so.
///
/// @par Lifetime  It may be moved, and outlive the client: then operations fail with `errc::stopped`. Destroying it ends
///   the subscriptions, and operations that wait fail with `errc::stopped`. One that was moved from can only be destroyed
///   or assigned to.
/// @par Thread safety  As `client`.
class managed_events
{
public:
    using executor_type = asio::any_io_executor;

    /// @throws system_error  `errc::invalid_option`.
    explicit managed_events(const client& redis, managed_options options = {},
                            managed_events_options which = {});
    managed_events(managed_events&& other) noexcept;
    managed_events& operator=(managed_events&& other) noexcept;
    ~managed_events();

    /// The client's executor.
    executor_type get_executor() const;

    /// Begins to listen; once it has completed, nothing is missed silently. Does nothing if that has been done.
    /// `void(error_code)`.
    ///
    /// @par Errors  `errc::command_refused` when this user may not subscribe; what `client::async_connect` says.
    /// @par Cancellation  terminal, partial. It may listen then; what follows works as if it did not.
    template<class Token = default_token>
    auto async_listen(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return listen(); }, std::forward<Token>(token));
    }

    /// Waits for the next event; begins to listen if that has not been done. One at a time.
    /// `void(error_code, managed_event)`.
    ///
    /// @par Errors  As `async_listen`; `errc::stopped` when the client has ended and all events have been told, or when
    ///   `async_stop` is called while this waits.
    /// @par Cancellation  terminal, partial, total. No event is lost by it.
    template<class Token = default_token>
    auto async_next(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return next(); }, std::forward<Token>(token));
    }

    /// Stops to listen, and forgets the events that nobody has asked for. `async_listen` begins anew.
    /// `void(error_code)`.
    ///
    /// @par Cancellation  terminal, partial. Nothing is heard any more, though Redis may go on to send.
    template<class Token = default_token>
    auto async_stop(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return stop(); }, std::forward<Token>(token));
    }

private:
    asio::awaitable<void> listen();
    asio::awaitable<managed_event> next();
    asio::awaitable<void> stop();

    struct state;
    std::shared_ptr<state> state_;
};

} // namespace coworker
