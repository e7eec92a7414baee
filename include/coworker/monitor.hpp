// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/completion.hpp"
#include "coworker/event.hpp"
#include "coworker/option_duration.hpp"
#include "coworker/worker.hpp"

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace coworker {

namespace detail {
class monitor_state;
}

/// How a monitor works.
struct monitor_options
{
    /// The lease of the jobs of list queues: `handle_options::lease` of the workers, or more. Managed queues ignore
    /// this: their lease is the setting `heartbeat` in Redis. At least 100 ms.
    option_duration lease{120'000};

    /// How long a worker may be without a connection before it is considered dead and its jobs are returned. Zero:
    /// never; then only ended leases return jobs. Use the same value as the workers; see
    /// `handle_options::worker_grace`.
    option_duration worker_grace{1'500};

    /// Receive the events `event_kind::recovered` and `event_kind::warning`. Connection events go to
    /// `client_options::on_event`. The default writes warnings and recoveries to `std::clog`; with `{}` the monitor is
    /// silent.
    option_list<observer> observers = default_observers();
};

/// Returns the jobs of dead workers, and jobs whose lease has ended, to their queues. It runs no jobs.
///
/// Each worker contains a monitor. A separate one is useful where at times no worker of coworker's runs, or where all
/// workers are peers.
///
///     coworker::monitor monitor{redis};
///     monitor.watch(emails);
///     co_await monitor.async_run();
///
/// @par Lifetime  The client must outlive the monitor, or `async_run` ends with `errc::stopped`. Destroying a running
///   monitor ends it.
/// @par Thread safety  Distinct objects: safe, also beside their client and its other objects. Shared objects: unsafe,
///   but for `async_run` and `stop`. Without `client_options::thread_safe` everything has to happen on the executor.
class monitor
{
public:
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// A monitor on the executor of its queues' client.
    ///
    /// @throws system_error  `errc::invalid_option`.
    explicit monitor(asio::any_io_executor executor, monitor_options options = {});

    /// The same on the executor of a client or an execution context.
    template<has_executor Context>
    explicit monitor(Context& context, monitor_options options = {})
        : monitor{asio::any_io_executor{context.get_executor()}, std::move(options)}
    {}

    /// Ends a running monitor, as `stop` does, without waiting for it.
    ~monitor();
    /// Takes over a monitor, which may run. The one that was moved from can only be destroyed or assigned to.
    monitor(monitor&&) noexcept;
    /// The same; the monitor that was here is destroyed.
    monitor& operator=(monitor&&) noexcept;

    /// Adds a queue to watch. Call this before `async_run`. One managed queue stands for all managed queues with its
    /// prefix. The queue object need not outlive the call.
    /// @throws system_error  `errc::already_running`; `errc::invalid_worker` if its client has another executor.
    template<worker_queue Queue>
    void watch(Queue& queue)
    {
        watch_source(queue.make_source());
    }

    /// The same for a `job_source` of your own. The monitor calls these functions only:
    ///  - `recover` and `wait_for_leases`, of the source and of those that its `wait_for_parts` returns
    ///  - `schedules` and `run_schedules`
    ///  - `name` and `connection`
    ///  - `close`, at the end
    ///
    /// It never calls `open`.
    /// @throws system_error  `errc::already_running`.
    void watch_source(std::unique_ptr<job_source> source);

    /// Watches the queues until `stop` is called. Completes with `void(error_code)`. Runs once per monitor. While Redis
    /// cannot be reached, it waits.
    ///
    /// @par Cancellation  terminal, partial, total: as `stop`; completes with `operation_aborted`.
    /// @par Errors  `errc::invalid_worker` without a queue, `errc::already_running`, `errc::stopped` when the client
    ///   has ended.
    /// @par Thread safety  May be called from any thread.
    template<class Token = default_token>
    auto async_run(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return run(); }, std::forward<Token>(token));
    }

    /// Ends `async_run`. May be called at any time, more than once, also before `async_run`.
    ///
    /// @par Thread safety  May be called from any thread, but not from a signal handler.
    void stop();

    /// The executor on which the monitor runs.
    executor_type get_executor() const;

private:
    asio::awaitable<void> run();

    std::shared_ptr<detail::monitor_state> state_;
};

} // namespace coworker
