#pragma once

#include "coworker/completion.hpp"
#include "coworker/event.hpp"
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
    /// How long a job of a list queue may be with a worker without being renewed: what the workers say as
    /// `handle_options::lease`, or more. Managed queues have a setting for it in the database. At least 100 ms.
    std::chrono::milliseconds lease{120'000};

    /// How long a worker may be without a connection until its jobs are returned. 0 = only the ends of leases
    /// return jobs. Say the same as the workers.
    std::chrono::milliseconds worker_grace{1'500};

    /// Told of jobs that were returned (`event_kind::recovered`), and of warnings. Connection events are told by the
    /// client.
    std::vector<observer> observers{};
};

/// Returns jobs to their queues whose worker is gone, or whose lease has ended, and runs none.
///
/// Workers do so themselves. This is for queues whose workers may all be gone, or are other libraries'.
///
/// @par Lifetime  The client must outlive the monitor. A running monitor that is destroyed ends.
/// @par Thread safety  Distinct objects: safe if their executors are distinct. Shared objects: unsafe, but for
///   `async_run` and `stop`.
class monitor
{
public:
    using executor_type = asio::any_io_executor;

    /// @param executor  that of the queues' client
    /// @throws system_error  `errc::invalid_option`.
    explicit monitor(asio::any_io_executor executor, monitor_options options = {});

    /// On the executor of a client or an execution context.
    template<has_executor Context>
    explicit monitor(Context& context, monitor_options options = {})
        : monitor{asio::any_io_executor{context.get_executor()}, std::move(options)}
    {}

    ~monitor();
    monitor(monitor&&) noexcept;
    monitor& operator=(monitor&&) noexcept;

    /// Watches a queue. Call before `async_run`. One managed queue stands for all those with its prefix.
    template<worker_queue Queue>
    void watch(Queue& queue)
    {
        watch_source(queue.make_source());
    }

    /// The same for a source of one's own, of which only `recover`, `wait_for_leases` and `close` are called.
    /// @throws system_error  `errc::already_running`.
    void watch_source(std::unique_ptr<job_source> source);

    /// Watches until `stop` is called. While Redis cannot be reached, it waits and goes on afterwards.
    ///
    /// @param token  completes with `void(error_code)`.
    /// @par Cancellation  terminal, partial, total: as `stop`; ends with `operation_aborted`.
    /// @par Errors  `errc::invalid_worker` without a queue, `errc::already_running`, what is wrong with the server,
    ///   `errc::stopped` when the client ended first.
    /// @par Thread safety  May be called from any thread.
    template<class Token = default_token>
    auto async_run(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return run(); }, std::forward<Token>(token));
    }

    /// Ends `async_run`. May be called at any time, more than once, also before `async_run`.
    ///
    /// @par Thread safety  May be called from any thread, though not from a signal handler.
    void stop();

    executor_type get_executor() const;

private:
    asio::awaitable<void> run();

    std::shared_ptr<detail::monitor_state> state_;
};

} // namespace coworker
