#pragma once

#include "coworker/completion.hpp"
#include "coworker/event.hpp"
#include "coworker/handler.hpp"
#include "coworker/job_source.hpp"
#include "coworker/klass_handlers.hpp"

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

namespace detail {

/// A handler of some type of jobs for a queue whose jobs have different types.
template<class Queue, class Handler>
concept lacks_kind = requires
{
    requires Queue::has_klasses;
    requires std::same_as<typename Queue::job_type, raw_json>;
    requires std::same_as<typename decltype(answer_of<raw_json, Handler>())::type, not_a_handler>;
};

} // namespace detail

/// Something that has an executor: a client, an `io_context`, a thread pool.
template<class Context>
concept has_executor = requires(Context& context)
{
    {
        context.get_executor()
        } -> std::convertible_to<asio::any_io_executor>;
};

/// Runs jobs from one or more queues, in the program's own `io_context`.
///
/// Everything happens on one executor; no thread is started. At least once: whatever kills the
/// worker at whatever moment, a job that it had taken runs again.
///
/// The executor must run one handler at a time: that of an `io_context` run by one thread, or a strand. It is that of
/// the queues' client.
///
/// @par Lifetime  The client must outlive the worker. Destroying a running worker is safe: handlers are
///   cancelled, and jobs that had not been acknowledged run again elsewhere.
/// @par Thread safety  Distinct objects: safe if their executors are distinct. Shared objects: unsafe, but for
///   `async_run` and `stop`.
class worker
{
public:
    using executor_type = asio::any_io_executor;

    /// @throws system_error  `errc::invalid_option`.
    explicit worker(asio::any_io_executor executor, worker_options options = {});

    /// On the executor of a client or an execution context.
    template<has_executor Context>
    explicit worker(Context& context, worker_options options = {})
        : worker{asio::any_io_executor{context.get_executor()}, std::move(options)}
    {}

    ~worker();

    /// The worker that is moved from can only be destroyed or assigned to. Assigning to a running worker destroys it.
    worker(worker&&) noexcept;
    worker& operator=(worker&&) noexcept;

    /// Handles the jobs of a queue. Call before `async_run`, once per queue; the first queue comes first in
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
    template<class Queue, class Handler>
    void handle(Queue& queue, Handler handler, handle_options options = {})
    {
        static_assert(worker_queue<Queue>, "coworker: a worker handles a list_queue<Job>, a managed_queue or "
                                           "another class with job_type and make_source()");
        constexpr bool lacks_kind = detail::lacks_kind<Queue, Handler>;
        static_assert(!lacks_kind,
                      "coworker: the jobs of a managed_queue have kinds: write coworker::klass_handlers "
                      "handlers; handlers.on<your_job>(\"kind\", handler); and pass these, or let the "
                      "handler take a coworker::raw_json");
        if constexpr (worker_queue<Queue> && !lacks_kind)
            handle_source(queue.make_source(), make_handler<typename Queue::job_type>(std::move(handler)),
                          std::move(options));
    }

    /// Handles the jobs of a managed queue by their klass.
    template<worker_queue Queue>
    void handle(Queue& queue, klass_handlers handlers, handle_options options = {})
    {
        constexpr bool has_klasses = requires
        {
            requires Queue::has_klasses;
        };
        static_assert(has_klasses,
                      "coworker: only the jobs of a managed_queue have a klass: pass a handler of the "
                      "list queue's job type instead of klass_handlers");
        handle_source(queue.make_source(), std::move(handlers).as_handler(), std::move(options));
    }

    /// The same for a source of one's own: `worker.handle_source<order>(std::make_unique<my_source>(…), handler)`.
    template<class Job, class Handler>
    void handle_source(std::unique_ptr<job_source> source, Handler handler, handle_options options = {})
    {
        handle_source(std::move(source), make_handler<Job>(std::move(handler)), std::move(options));
    }

    /// The same with a handler that is given the job's JSON text, or chooses among others.
    void handle_source(std::unique_ptr<job_source> source, job_handler handler, handle_options options = {});

    /// Works until `stop` is called. Completes when every handler has ended and every outcome is stored.
    ///
    /// While Redis cannot be reached it waits and goes on afterwards; outcomes that could not be written are
    /// written then.
    ///
    /// @param token  completes with `void(error_code)`.
    /// @par Cancellation  terminal, partial, total: as `stop` with a drain time of zero; ends with
    ///   `operation_aborted`.
    /// @par Errors  `errc::invalid_worker` without a queue, `errc::already_running`,
    ///   `errc::wrong_key_type`, what is wrong with the server, `errc::stopped` when the client ended first. What an
    ///   own source throws beside `system_error` reaches tokens that throw as it is.
    /// @par Thread safety  May be called from any thread.
    template<class Token = default_token>
    auto async_run(Token&& token = default_token{})
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return run(); }, std::forward<Token>(token));
    }

    /// Asks `async_run` to end: nothing more is taken; running handlers may go on for the drain time, then they
    /// are cancelled and their jobs go back to the front of the queue, uncounted. A handler that ignores
    /// its cancellation keeps `async_run` from completing. May be called at any time, more than once, also
    /// before `async_run`, which then completes at once.
    ///
    /// @par Thread safety  May be called from any thread, though not from a signal handler.
    void stop();

    /// Jobs that run at the moment.
    std::size_t running() const noexcept;

    executor_type get_executor() const;

private:
    asio::awaitable<void> run();

    std::shared_ptr<detail::worker_state> state_;
};

} // namespace coworker
