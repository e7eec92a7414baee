// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/managed_options.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace coworker {

/// What happened to a job of a managed queue. Each kind names the members of `managed_event` that are set.
enum class managed_event_kind
{
    put,       ///< A job was pushed or moved. jid, queue.
    completed, ///< A job is done. jid, queue.
    advanced,  ///< A job was forwarded to another queue. jid, queue, to.
    failed,    ///< A job was given up. jid, worker, group, message.
    lock_lost, ///< A worker has lost the lease of a job. jid, worker.
    canceled,  ///< A job was cancelled. jid; queue if the job existed, worker if one had it.

    popped,  ///< A tracked job was fetched. jid.
    stalled, ///< The lease of a tracked job has ended. jid.

    tracked,   ///< The job is tracked from now on. jid.
    untracked, ///< The job is not tracked any more. jid.

    config_set,   ///< A setting was changed. option, value.
    config_unset, ///< A setting was removed: the default applies. option.

    /// Events before this one were missed. count: how many; 0: unknown, since the connection was lost.
    missed,
};

/// The name of a kind, such as "lock_lost".
std::string_view to_string(managed_event_kind kind) noexcept;

/// One event. `kind` says which of the other members are set.
struct managed_event
{
    managed_event_kind kind = managed_event_kind::missed; ///< what happened

    /// The event was published because the job is tracked. qless publishes `put`, `completed`, `failed` and `canceled`
    /// of a tracked job twice: once like this, with the jid alone, and once as for every job. An advanced job is
    /// `completed` like this.
    bool of_tracked = false;

    std::string jid{};     ///< the job's id
    std::string queue{};   ///< the queue that the job is or was in
    std::string worker{};  ///< the worker that has or had the job
    std::string group{};   ///< the group of a failure
    std::string message{}; ///< why the job failed
    std::string to{};      ///< the queue that the job was forwarded to
    std::string option{};  ///< the name of a setting
    std::string value{};   ///< the new value of a setting
    std::size_t count = 0; ///< how many events were missed
};

/// Which events to receive: `all`, `tracked`, or both.
struct managed_events_options
{
    /// Receive the events of all jobs, and of settings.
    bool all = true;

    /// Receive the events of tracked jobs, and which jobs are tracked.
    bool tracked = true;

    /// How many events are kept for `async_next`, and 1 MiB of their texts. Further ones are dropped, and reported as
    /// `missed`. At least 1.
    std::size_t capacity = 10'000;
};

/// Receives what happens to the jobs of all managed queues that share a prefix, over the client's connection.
///
///     coworker::managed_events events{redis};
///     for (;;) {
///         const auto event = co_await events.async_next();
///         …
///     }
///
/// The events are those that qless' scripts publish; they publish no pops, retries and heartbeats of jobs that are not
/// tracked. Events come in the order in which Redis published them, and are kept from `async_listen` on, up to
/// `managed_events_options::capacity`. After the connection was lost, the first event is `missed`.
///
/// @par Lifetime  When the client is destroyed, operations fail with `errc::stopped`. Destroying this object ends
///   the subscriptions, and waiting operations fail with `errc::stopped`. An object that was moved from can only be
///   destroyed or assigned to.
/// @par Thread safety  As `client`.
class managed_events
{
public:
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// Does not listen yet: see `async_listen`.
    ///
    /// @param redis  the client whose connection receives the events
    /// @param options  the prefix of the queues
    /// @param which  which events to receive
    /// @throws system_error  `errc::invalid_option`.
    explicit managed_events(const client& redis, managed_options options = {},
                            managed_events_options which = {});
    /// Takes over the subscriptions and the events.
    managed_events(managed_events&& other) noexcept;
    /// The same; the subscriptions that were here end.
    managed_events& operator=(managed_events&& other) noexcept;
    /// Ends the subscriptions.
    ~managed_events();

    /// The client's executor.
    executor_type get_executor() const;

    /// Begins to listen. Once this has completed, every event is either kept or reported as `missed`. Does nothing if
    /// this listens already. Completes with `void(error_code)`.
    ///
    /// @par Errors  `errc::command_refused` when this Redis user may not subscribe; those of `client::async_connect`.
    /// @par Cancellation  terminal, partial. It may have begun to listen; all operations may be used as before.
    template<class Token = default_token>
    auto async_listen(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [this] { return listen(); }, std::forward<Token>(token));
    }

    /// Waits for the next event. Begins to listen if `async_listen` has not been called. There may be one such
    /// operation at a time. Completes with `void(error_code, managed_event)`.
    ///
    /// @par Errors  As `async_listen`; `errc::stopped` when the client has ended and no event is left, or when
    ///   `async_stop` is called while this waits.
    /// @par Cancellation  terminal, partial, total. No event is lost.
    template<class Token = default_token>
    auto async_next(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return next(); }, std::forward<Token>(token));
    }

    /// Ends the subscriptions, and drops the events that are left. `async_listen` begins anew. Completes with
    /// `void(error_code)`.
    ///
    /// @par Cancellation  terminal, partial. No more events are received, though Redis may still send them.
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
