// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/backoff.hpp"
#include "coworker/completion.hpp"
#include "coworker/event.hpp"
#include "coworker/handler.hpp"
#include "coworker/handlers_by_kind.hpp"
#include "coworker/job_source.hpp"
#include "coworker/many_handler.hpp"
#include "coworker/middleware.hpp"
#include "coworker/option_duration.hpp"
#include "coworker/option_list.hpp"
#include "coworker/text.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace coworker {

namespace detail {
class supervisor;
}

/// How a worker chooses between queues that have jobs.
enum class queue_order
{
    strict,      ///< The first queue that has jobs, in the order of the calls of `worker::handle`.
    round_robin, ///< One job from each queue in turn; weights are ignored.
    weighted,    ///< In proportion to the queues' weights.
};

/// What an exception means that leaves a handler. hworker fails such jobs; the default here is `retry`.
enum class on_exception
{
    fail, ///< The job fails at once.
    retry ///< The job runs again after the back-off, until its attempts are used up. Then it fails.
};

/// A function that says how long to wait before a retry, given the number of the attempt that has ended (1 for the
/// first). Less than zero counts as zero: the job is queued at once, behind all waiting jobs. If the function throws,
/// the default `exponential_backoff` decides.
using backoff = std::function<std::chrono::milliseconds(unsigned attempt)>;

/// A back-off of zero, as in hworker: the job is queued at once, behind all waiting jobs.
inline std::chrono::milliseconds no_backoff(unsigned)
{
    return std::chrono::milliseconds{0};
}

/// How a worker works, for all of its queues together.
struct worker_options
{
    /// How many jobs may run at the same time. At least 1. While handlers end within 2 ms, the worker fetches a few
    /// more, 384 at most. Those that do not start within 10 ms go back to their queue.
    std::size_t concurrency = 100;

    /// From which queue to fetch when several have jobs.
    queue_order order = queue_order::strict;

    /// The shutdown timeout: how long `stop` waits for running handlers before it cancels them. Zero: it cancels them
    /// at once.
    option_duration shutdown_timeout{25'000};

    /// Receive all events of the worker, and those of its queues' connection. The default writes problems to
    /// `std::clog`; with `{}` the worker is silent.
    option_list<observer> observers = default_observers();

    /// Surround the handlers of all queues, the first one outermost. They are outside of `handle_options::middleware`.
    option_list<coworker::middleware> middleware{};
};

/// How the jobs of one queue are handled.
struct handle_options
{
    /// How many jobs of this queue may run at the same time. Zero: as many as `worker_options::concurrency`.
    std::size_t concurrency = 0;

    /// The queue's share of the worker with `queue_order::weighted`. At least 1.
    unsigned weight = 1;

    /// Lease duration: how long a job stays reserved for a worker without being renewed. The worker renews leases after
    /// a third of it, so handlers may run for longer. At least 100 ms. hworker's default is the same. Managed queues
    /// ignore this: their lease is the setting `heartbeat` in Redis.
    option_duration lease{120'000};

    /// The timeout: how long one run may take. Then the handler is cancelled; unless it returns an outcome all the
    /// same, the run counts as if it had thrown. Zero: no timeout. See also `job_context::set_timeout`.
    option_duration timeout{0};

    /// The expiry: how old a job may get, counted from when it was queued. An older one fails: it is not started any
    /// more, and a handler that runs is cancelled. For jobs whose id tells when they were queued (`queued_at`), by this
    /// machine's clock. Zero: no expiry.
    option_duration expiry{0};

    /// How many attempts a job has. After the last one a retry becomes a failure; a job whose last attempt was lost
    /// with its worker fails as well. Zero: no limit, as in hworker. Managed queues ignore this: each job has its own
    /// `retries`, and every retry and every lost lease uses up one of them.
    unsigned max_attempts = 25;

    /// How many workers a job of a managed queue may take with it. When so many of its runs have ended with their
    /// workers, it is quarantined: it is not run again, and fails in the group "<kind>:quarantined". Counted apart from
    /// `retries`; but a job with many retries bears with more, a tenth of those that are left. Zero: no limit.
    unsigned max_crashes = 3;

    /// How long to wait before a retry that has no delay of its own. Empty: no wait.
    owned<coworker::backoff> backoff = exponential_backoff{};

    /// What an exception means that leaves the handler. A handler that knows that a retry is of no use returns
    /// `failure`: the job fails at once.
    on_exception exceptions = on_exception::retry;

    /// How long results are kept that handlers return, for those who ask later. In managed queues; list queues keep
    /// none. Zero: they are not kept.
    option_duration result_retention{std::chrono::hours{1}};

    /// Whether this worker also acts as the queue's monitor, which returns jobs whose lease has ended or whose worker
    /// is dead. One monitor at a time is active per queue; for managed queues one per prefix.
    bool monitor = true;

    /// How long a worker may be without a connection before the monitor considers it dead and returns its jobs. Longer:
    /// short breaks of the network cause no second runs. Zero: never; then only ended leases return jobs. The active
    /// monitor applies its own value to all workers, so use the same value in all programs.
    option_duration worker_grace{1'500};

    /// Surround the handler, the first one outermost.
    option_list<coworker::middleware> middleware{};

    /// Where the handler and its middleware run: on a thread pool, or in another context, whose executor this is. The
    /// worker stays where it is: it renews leases, acknowledges and cancels on its own executor. So handlers that compute
    /// do not keep it from that, and use as many cores as the context has threads. Set `concurrency` to about their
    /// number, or jobs wait there for a thread that another worker could run.
    ///
    /// Each run is on a strand of its own; several run at the same time, so what they share has to be safe for threads.
    /// `job_context` says what a handler may do with it there. The context has to run until `worker::async_run` has ended,
    /// and to be destroyed before that of the client. If it stops sooner, `async_run` ends with `errc::stopped`, and jobs
    /// whose handlers had begun run again when their leases end. Null, the default: the worker's executor, on which
    /// handlers run one at a time.
    owned<asio::any_io_executor> executor{};
};

/// The options with which a queue is handled as by hworker. One job runs at a time, an exception fails it, a retry
/// is queued at once, and attempts are not limited. The lease is hworker's default, two minutes.
inline handle_options hworker_options()
{
    handle_options options;
    options.concurrency = 1;
    options.max_attempts = 0;
    options.backoff = no_backoff;
    options.exceptions = on_exception::fail;
    return options;
}

/// A queue that a worker can fetch from, such as `list_queue` and `managed_queue`.
template<class Queue>
concept worker_queue = requires(Queue& queue)
{
    typename Queue::job_type;
    {
        queue.make_source()
        } -> std::same_as<std::unique_ptr<job_source>>;
};

namespace detail {

/// A handler of some type of jobs for a queue whose jobs have different types.
template<class Queue, class Handler>
concept lacks_kind = requires
{
    requires Queue::has_kinds;
    requires std::same_as<typename Queue::job_type, raw_json>;
    requires std::same_as<typename decltype(answer_of<raw_json, Handler>())::type, not_a_handler>;
};

} // namespace detail

/// An object that has an executor: a client, an `io_context`, a thread pool.
template<class Context>
concept has_executor = requires(Context& context)
{
    {
        context.get_executor()
        } -> std::convertible_to<asio::any_io_executor>;
};

/// Runs jobs from one or more queues, in the program's own `io_context`.
///
/// Jobs run at least once: when the worker dies, the jobs that it has fetched and not acknowledged run again.
/// Everything happens on one executor, which has to be that of the queues' client and to run one handler at a time.
/// No thread is started.
///
///     coworker::worker worker{redis};
///     worker.handle(emails, [](const email& e) -> asio::awaitable<void> { co_await deliver(e); });
///     co_await worker.async_run();
///
/// @par Lifetime  The client must outlive the worker, or `async_run` ends with `errc::stopped`. Destroying a running
///   worker cancels its handlers; jobs that have not been acknowledged run again.
/// @par Thread safety  Distinct objects: safe, also beside their client and its other objects. Shared objects: unsafe,
///   but for `async_run`, `stop` and `stop_fetching`. Without `client_options::thread_safe` everything has to happen on
///   the executor.
class worker
{
public:
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// A worker on the executor of its queues' client.
    ///
    /// @throws system_error  `errc::invalid_option`.
    explicit worker(asio::any_io_executor executor, worker_options options = {});

    /// The same on the executor of a client or an execution context.
    template<has_executor Context>
    explicit worker(Context& context, worker_options options = {})
        : worker{asio::any_io_executor{context.get_executor()}, std::move(options)}
    {}

    /// Ends a running worker, as cancelling `async_run` does, without waiting for it.
    ~worker();

    /// Takes over a worker, which may run. The one that was moved from can only be destroyed or assigned to.
    worker(worker&&) noexcept;
    /// The same; the worker that was here is destroyed.
    worker& operator=(worker&&) noexcept;

    /// Adds a queue and the handler of its jobs. Call this before `async_run`, once per queue. The queue object need
    /// not outlive the call.
    ///
    /// @param queue  a `list_queue`, a `managed_queue` or another `worker_queue`; the one added first comes first in
    ///   `queue_order::strict`
    /// @param handler  called with the job and, if it takes one, a `job_context&`. It takes the job by value, by
    ///   `const&` or by `&&`; the job lives until the handler has ended. A job that does not decode as the queue's job
    ///   type is kept as a broken job. In a managed queue it fails in the group "<kind>:not-decodable". The handler is
    ///   a function, or a coroutine that returns an `awaitable`. A function runs between the worker's other work, so it
    ///   must be short. Either returns one of these:
    ///   - an `outcome`
    ///   - nothing, which means success
    ///   - any value that `encode` takes, which means success with this result (`success_with`)
    ///   - a `result` of one of these, whose error counts as if it had been thrown
    /// @param options  how to handle the jobs of this queue
    /// @throws system_error  `errc::invalid_option`; `errc::invalid_worker` for the same queue twice, or for a
    ///   queue whose client has another executor;
    ///   `errc::already_running`.
    template<class Queue, class Handler>
    void handle(Queue& queue, Handler handler, handle_options options = {})
    {
        static_assert(worker_queue<Queue>, "coworker: a worker handles a list_queue<Job>, a managed_queue or "
                                           "another class with job_type and make_source()");
        constexpr bool lacks_kind = detail::lacks_kind<Queue, Handler>;
        static_assert(!lacks_kind,
                      "coworker: the jobs of a managed_queue have kinds: write coworker::handlers_by_kind "
                      "handlers; handlers.on<your_job>(\"kind\", handler); and pass these, or let the "
                      "handler take a coworker::raw_json");
        if constexpr (worker_queue<Queue> && !lacks_kind)
            handle_source(queue.make_source(), make_handler<typename Queue::job_type>(std::move(handler)),
                          std::move(options));
    }

    /// The same for a managed queue, with a handler for each kind of job (qless' `klass`).
    template<worker_queue Queue>
    void handle(Queue& queue, handlers_by_kind handlers, handle_options options = {})
    {
        constexpr bool has_kinds = requires
        {
            requires Queue::has_kinds;
        };
        static_assert(has_kinds,
                      "coworker: only the jobs of a managed_queue have a kind: pass a handler of the "
                      "list queue's job type instead of handlers_by_kind");
        auto source = queue.make_source();
        handlers.limit(*source);
        handle_source(std::move(source), std::move(handlers).as_handler(), std::move(options));
    }

    /// Adds a queue whose jobs are handled many at a time: `handle_many(rows, handler, {.up_to = 500, .wait = 200ms})`.
    ///
    /// Everything else is as for jobs that are handled one by one: each has its place, its lease, its attempts, its
    /// events and its middleware. docs/many-jobs.md says what becomes of a job when something goes wrong.
    ///
    /// @tparam Job  the type of the jobs. Default: that of the queue
    /// @param queue  as for `handle`
    /// @param handler  called with a `std::span<held_job<Job>>`, which lives until the handler has ended. Returns
    ///   `std::vector<outcome>`, with one for each job in the same order, or nothing if all have succeeded. It may be a
    ///   coroutine that yields one of these. If it throws, or returns a wrong number, each job ends as if its handler had
    ///   thrown.
    /// @param many  how jobs gather
    /// @param options  how to handle the jobs of this queue
    /// @throws system_error  as `handle`; `errc::invalid_option` if fewer than `up_to` jobs may run at the same time
    template<class Job = void, worker_queue Queue, class Handler>
    void handle_many(Queue& queue, Handler handler, many_options many = {}, handle_options options = {})
    {
        using job_type = std::conditional_t<std::is_void_v<Job>, typename Queue::job_type, Job>;
        check_many(many, options);
        handle_source(queue.make_source(), make_many_handler<job_type>(std::move(handler), many),
                      std::move(options));
    }

    /// The same for a `job_source` of your own: `worker.handle_source<order>(std::make_unique<my_source>(…), handler)`.
    template<class Job, class Handler>
    void handle_source(std::unique_ptr<job_source> source, Handler handler, handle_options options = {})
    {
        handle_source(std::move(source), make_handler<Job>(std::move(handler)), std::move(options));
    }

    /// The same with a type-erased handler, which receives the job's JSON text.
    void handle_source(std::unique_ptr<job_source> source, job_handler handler, handle_options options = {});

    /// Runs jobs until `stop` is called. Completes, with `void(error_code)`, when every handler has ended and every
    /// outcome is stored. Runs once per worker.
    ///
    /// While Redis cannot be reached, the worker waits, and keeps the outcomes that it could not store.
    ///
    /// @par Cancellation  terminal, partial, total: as `stop` with a shutdown timeout of zero. Completes with
    ///   `operation_aborted`, once all handlers have ended. If the worker was told to stop before, it does not wait
    ///   for a server that is away. What cannot be stored within 250 ms runs again when its lease ends.
    /// @par Errors  `errc::invalid_worker` without a queue, `errc::already_running`, `errc::wrong_key_type`,
    ///   those of `client::async_connect`, `errc::stopped` when the client has ended. What else a `job_source` throws:
    ///   `errc::unexpected_exception`, or the exception itself with `with_diagnostics`.
    /// @par Thread safety  May be called from any thread.
    template<class Token = default_token>
    auto async_run(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return run(); }, std::forward<Token>(token));
    }

    /// Asks `async_run` to end. The worker fetches no more jobs, and releases those that have not started. Running
    /// handlers may go on for `worker_options::shutdown_timeout`; then they are cancelled and their jobs are released.
    /// A handler that ignores its cancellation keeps `async_run` from completing.
    ///
    /// May be called at any time, more than once, also before `async_run`, which then completes at once.
    ///
    /// @par Thread safety  May be called from any thread, but not from a signal handler (use `asio::signal_set`).
    void stop();

    /// Fetches no more jobs from now on, from any of its queues. Those that were fetched run, without a time limit, or go
    /// to other workers if they would have to wait for long. `async_run` goes on: it renews leases, and returns the jobs
    /// of dead workers where `handle_options::monitor` says so. `stop` ends it, as ever. A worker that is about to be
    /// replaced does so before the time comes.
    ///
    /// May be called at any time, more than once, also before `async_run`. Nothing makes the worker fetch again: to go on
    /// later, pause the queues instead.
    ///
    /// @par Thread safety  As `stop`.
    void stop_fetching();

    /// The number of jobs that this worker has fetched and whose handler has not ended; those that wait for a place
    /// too.
    std::size_t running() const noexcept;

    /// The executor on which the worker and its handlers run.
    executor_type get_executor() const;

private:
    void check_many(const many_options& many, const handle_options& options) const;
    asio::awaitable<void> run();

    std::shared_ptr<detail::supervisor> state_;
};

} // namespace coworker
