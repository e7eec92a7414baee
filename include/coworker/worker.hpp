#pragma once

#include "coworker/event.hpp"
#include "coworker/handler.hpp"
#include "coworker/job_source.hpp"
#include "coworker/klass_handlers.hpp"
#include "coworker/session.hpp"

#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace coworker {

namespace detail {
class worker_state;
}

/// Which queue a free place goes to.
enum class queue_order
{
    strict,      ///< A queue only when those handled before it are empty.
    round_robin, ///< One job from each in turn; a queue's weight counts for nothing.
    weighted,    ///< In proportion to the queues' weights.
};

/// What an exception that leaves a handler means. hworker fails such jobs; the default here is `retry`.
enum class on_exception
{
    fail, ///< The job fails at once.
    retry ///< It runs again after the back-off, until its attempts are used up. Then it fails.
};

/// How long to wait before a retry, given which attempt has just ended (1 for the first).
using backoff = std::function<std::chrono::milliseconds(unsigned attempt)>;

/// `initial` after the first attempt, multiplied by `factor` after each further one up to `maximum`; up to
/// the part `jitter` (0 to 1) of it is left out at random, so that jobs that failed together do not return
/// together.
struct exponential_backoff
{
    std::chrono::milliseconds initial{1'000};
    double factor = 2;
    std::chrono::milliseconds maximum{600'000};
    double jitter = 0.5;

    std::chrono::milliseconds operator()(unsigned attempt) const;
};

/// At once, behind all waiting jobs, as hworker does.
inline std::chrono::milliseconds no_backoff(unsigned)
{
    return std::chrono::milliseconds{0};
}

struct worker_options
{
    /// How many jobs may run at the same time. At least 1.
    std::size_t concurrency = 100;

    queue_order order = queue_order::strict;

    /// How long `stop` lets running handlers go on before it cancels them. Zero: cancel at once.
    std::chrono::milliseconds drain_time{25'000};

    /// Told of everything that happens.
    std::vector<observer> observers{};
};

/// How the jobs of one queue are handled.
struct handle_options
{
    /// How many jobs of this queue may run at the same time. Zero: as many as the worker's concurrency.
    std::size_t concurrency = 0;

    /// For `queue_order::weighted`. At least 1.
    unsigned weight = 1;

    /// How long a job stays with a worker of which nothing is heard. Renewed at a third of it, so handlers
    /// may run for longer. At least 100 ms. hworker's default is the same. Managed queues have a setting for it
    /// in the database, the heartbeat, which counts instead.
    std::chrono::milliseconds lease{120'000};

    /// How long one run may take; then the handler is cancelled and the run counts as if it had thrown.
    /// Zero: no limit.
    std::chrono::milliseconds time_limit{0};

    /// How long after it was queued a job is still worth running; then it fails, running or not. Only
    /// for jobs whose id tells when they were queued. Zero: for ever.
    std::chrono::milliseconds deadline{0};

    /// After this many attempts a retry becomes a failure; so does a job that was lost with its worker as
    /// often. Zero: no limit, as in hworker. In managed queues each job's own `retries` count instead: every
    /// retry, and every lock that is lost, leaves one fewer of them.
    unsigned max_attempts = 25;

    /// For retries without a delay of their own.
    coworker::backoff backoff = exponential_backoff{};

    /// A handler that knows that another run is of no use returns `failure`: the job fails at once.
    on_exception exceptions = on_exception::retry;

    /// Also return jobs whose lease has ended or whose worker is gone. One worker per queue does it at a
    /// time; for managed queues one per prefix.
    bool monitor = true;

    /// How long a worker may be without a connection until its jobs are returned. Longer: a break of the network that
    /// ends in time costs no second run. Zero: for ever, so that only the ends of leases return jobs. One worker
    /// looks after all, so say the same in all programs.
    std::chrono::milliseconds worker_grace{1'500};
};

/// A queue that a worker can drive, such as `list_queue` and `managed_queue`.
template<class Queue>
concept worker_queue = requires(Queue& queue)
{
    typename Queue::job_type;
    {
        queue.make_source()
        } -> std::same_as<std::unique_ptr<job_source>>;
};

/// Runs jobs from one or more queues, in the program's own `io_context`.
///
/// Everything happens on the session's executor; no thread is started. At least once: whatever kills the
/// worker at whatever moment, a job that it had taken runs again.
///
/// @par Lifetime  The session must outlive the worker. Destroying a running worker is safe: handlers are
///   cancelled, and jobs that had not been acknowledged run again elsewhere.
/// @par Thread safety  Distinct objects: safe if their sessions are distinct. Shared objects: unsafe; `stop`
///   too must be called on the session's executor.
class worker
{
public:
    /// @throws system_error  `errc::invalid_option`.
    explicit worker(session& redis, worker_options options = {});
    ~worker();
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;

    /// Handles the jobs of a queue. Call before `run`, once per queue; the first queue comes first in
    /// `queue_order::strict`. The queue object need not outlive the call.
    ///
    /// @param handler  called with the job and, if it takes one, a `job_context&`. It may take the job by value, by
    ///   `const&` or by `&&`; the job lives until the handler has ended. Either a coroutine
    ///   that returns `awaitable<outcome>` or `awaitable<void>`, where returning means success, or a
    ///   plain function returning `outcome` or `void`, which runs between the worker's other steps and so
    ///   must be short. A job that does not decode as `Job` goes to the broken record; in
    ///   a managed queue it fails, in the group "<klass>:not-decodable".
    /// @throws system_error  `errc::invalid_option`; `errc::invalid_worker` for the same queue twice;
    ///   `errc::already_running`.
    template<worker_queue Queue, class Handler>
    void handle(Queue& queue, Handler handler, handle_options options = {})
    {
        handle_source(queue.make_source(), detail::make_handler<typename Queue::job_type>(std::move(handler)),
                      std::move(options));
    }

    /// Handles the jobs of a managed queue by their klass.
    template<worker_queue Queue>
    void handle(Queue& queue, klass_handlers handlers, handle_options options = {})
    {
        static_assert(Queue::has_klasses, "jobs of a list queue have no klass");
        handle_source(queue.make_source(), std::move(handlers).as_handler(), std::move(options));
    }

    /// The same for a source of one's own.
    void handle_source(std::unique_ptr<job_source> source, detail::job_handler handler,
                       handle_options options);

    /// Works until `stop` is called. Returns when every handler has ended and every outcome is stored.
    ///
    /// While Redis cannot be reached it waits and goes on afterwards; outcomes that could not be written are
    /// written then.
    ///
    /// @par Cancellation  terminal, partial, total: as `stop` with a drain time of zero; throws
    ///   `operation_aborted` at the end.
    /// @par Errors  Throws `system_error`: `errc::invalid_worker` without a queue, `errc::already_running`,
    ///   `errc::wrong_key_type`, what is wrong with the server, `errc::stopped` when the session ended first.
    asio::awaitable<void> run();

    /// Asks `run` to end: nothing more is taken; running handlers may go on for the drain time, then they
    /// are cancelled and their jobs go back to the front of the queue, uncounted. A handler that ignores
    /// its cancellation keeps `run` from returning. May be called at any time, more than once, also
    /// before `run`, which then returns at once.
    void stop();

    /// Jobs that run at the moment.
    std::size_t running() const noexcept;

private:
    std::shared_ptr<detail::worker_state> state_;
};

} // namespace coworker
