#pragma once

#include "coworker/codec.hpp"
#include "coworker/handler.hpp"
#include "coworker/job.hpp"
#include "coworker/job_source.hpp"
#include "coworker/klass_handlers.hpp"
#include "coworker/outcome.hpp"
#include "coworker/worker.hpp"

#include <boost/asio/append.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace coworker {
namespace detail {
class memory_store;
}

/// For the tests of programs that use coworker: handlers run, and queues work, without Redis and without waiting.
///
/// What happens in memory is what happens in Redis: these queues are a `job_source` as the others are, the worker that
/// drives them is the real one, and one suite of tests holds for all of them.
///
/// @par Thread safety  Distinct objects that share no clock: safe. Shared objects: unsafe.
namespace testing {

/// A clock that stands still until it is moved. Copies are the same clock.
class manual_clock
{
public:
    /// It shows the beginning of 2030.
    manual_clock();
    explicit manual_clock(timestamp begin);

    timestamp now() const noexcept;

    /// Jobs that become due by this can run at once; leases that end by it can be returned.
    void advance(std::chrono::microseconds by);

private:
    friend class detail::memory_store;
    struct state;
    std::shared_ptr<state> state_;
};

/// A job in a queue.
struct stored_job
{
    std::string id;       ///< as `push` returned it
    raw_json job;         ///< its JSON
    std::string kind{};   ///< which of `klass_handlers` is meant
    unsigned attempt = 1; ///< of its next run, or of the one it is in
    timestamp pushed{};   ///< when
    timestamp due{};      ///< when it may run
    std::string reason{}; ///< why it failed, or is to be retried
};

/// How a handler is given a job.
struct job_conditions
{
    std::string id{};     ///< empty: a new one
    std::string kind{};   ///< what `job_context::klass` says
    unsigned attempt = 1; ///< which run it is

    /// What `job_context::details` finds, such as `managed_details`.
    std::shared_ptr<const job_details> details{};
};

/// A run of a job that has ended.
struct ended_run
{
    std::string id;       ///< of the job
    std::string kind;     ///< of the job
    unsigned attempt = 1; ///< 1 for the first run

    /// What is stored of it: the handler's outcome, or what its exception means, in the light of `handle_options`. The
    /// delay of a retry is that of the back-off; a retry beyond `max_attempts` is a failure.
    outcome result;
};

/// A queue in memory, of JSON texts; see `memory_queue` for one of C++ types.
class raw_memory_queue
{
public:
    using job_type = raw_json;
    static constexpr bool has_klasses = true;

    /// Copies are the same queue.
    explicit raw_memory_queue(std::string name = "memory", manual_clock time = {});

    const std::string& name() const noexcept;
    const manual_clock& time() const noexcept;

    /// Queues a job and returns its id. Delays are times of `time()`.
    ///
    /// @throws system_error  `errc::not_serializable` for what is not JSON.
    std::string push(const raw_json& job, const push_options& options = {});

    /// The same for a job of a kind, as `managed_queue` has them.
    std::string push(const raw_json& job, const job_conditions& conditions);

    /// Everything that was pushed, in this order, whatever became of it.
    const std::vector<stored_job>& pushed() const noexcept;

    std::vector<stored_job> waiting() const;   ///< in the order in which they will run
    std::vector<stored_job> scheduled() const; ///< those that are not due yet, the next one first
    std::vector<stored_job> running() const;
    const std::vector<stored_job>& failed() const noexcept;
    const std::vector<stored_job>& broken() const noexcept; ///< those that did not decode

    /// The runs that have ended, in this order.
    const std::vector<ended_run>& ended() const noexcept;

    /// Somebody else holds the running jobs from now on: their handlers have lost their leases, and the jobs are to be
    /// run again.
    void take_away_running();

    /// For `worker`: the queue as it sees it.
    std::unique_ptr<job_source> make_source();

private:
    friend class detail::memory_store;

    std::shared_ptr<detail::memory_store> store_;
};

/// A queue of `Job`s in memory, in place of a `list_queue<Job>` or a `managed_queue`: it can be pushed to in the same
/// way, and be given to `worker::handle`.
template<class Job>
class memory_queue
{
    static_assert(is_job<Job>, COWORKER_JOB_IS_NOT_DESCRIBED);

public:
    using job_type = Job;
    static constexpr bool has_klasses = true;

    /// Copies are the same queue.
    explicit memory_queue(std::string name = "memory", manual_clock time = {})
        : raw_{std::move(name), std::move(time)}
    {}

    const std::string& name() const noexcept { return raw_.name(); }
    const manual_clock& time() const noexcept { return raw_.time(); }

    /// Queues a job and returns its id.
    ///
    /// @throws system_error  `errc::not_serializable`.
    std::string push(const Job& job, const push_options& options = {})
    {
        return raw_.push(raw_json{encode(job).value()}, options);
    }

    /// The same as an operation, as `list_queue` has it.
    ///
    /// @param token  completes with `void(error_code, std::string)`, always as if posted to the handler's executor.
    template<class Token = asio::deferred_t>
    auto async_push(const Job& job, const push_options& options = {}, Token&& token = asio::deferred_t{})
    {
        auto text = encode(job);
        error_code ec;
        std::string id;
        if (text)
            id = raw_.push(raw_json{std::move(*text)}, options);
        else
            ec = text.error();
        return asio::async_initiate<Token, void(error_code, std::string)>(
            [](auto handler, error_code error, std::string made) {
                asio::post(asio::append(std::move(handler), error, std::move(made)));
            },
            token, ec, std::move(id));
    }

    /// Everything that was pushed, in this order, as it is read by a handler.
    std::vector<Job> pushed() const
    {
        std::vector<Job> jobs;
        for (const auto& each : raw_.pushed())
            jobs.push_back(decode<Job>(each.job.text).value());
        return jobs;
    }

    /// The same queue, where everything else of it can be looked at.
    raw_memory_queue& raw() noexcept { return raw_; }
    const raw_memory_queue& raw() const noexcept { return raw_; }

    /// For `worker`: the queue as it sees it.
    std::unique_ptr<job_source> make_source() { return raw_.make_source(); }

private:
    raw_memory_queue raw_;
};

/// Runs every job that is due with the handler, also those that it pushes meanwhile, until none is. Returns the runs
/// in the order in which they ended.
///
/// Jobs that are to be retried later, and delayed ones, stay where they are: move the clock, and drain again. A handler
/// that always answers `retry` with a delay of zero is run until its attempts are used up.
///
/// The handlers run in an `io_context` of this call; where they need another executor's objects, use `co_drain` there.
///
/// @throws  what the worker throws, such as `errc::invalid_option`. What handlers throw is an outcome.
std::vector<ended_run> drain(raw_memory_queue queue, job_handler handler, handle_options options = {});

template<class Job, class Handler>
std::vector<ended_run> drain(memory_queue<Job>& queue, Handler handler, handle_options options = {})
{
    return drain(queue.raw(), make_handler<Job>(std::move(handler)), std::move(options));
}
template<class Job>
std::vector<ended_run> drain(memory_queue<Job>& queue, klass_handlers handlers, handle_options options = {})
{
    return drain(queue.raw(), std::move(handlers).as_handler(), std::move(options));
}

/// The same inside a coroutine, on its executor.
asio::awaitable<std::vector<ended_run>> co_drain(raw_memory_queue queue, job_handler handler,
                                                 handle_options options = {});

template<class Job, class Handler>
asio::awaitable<std::vector<ended_run>> co_drain(memory_queue<Job>& queue, Handler handler,
                                                 handle_options options = {})
{
    return co_drain(queue.raw(), make_handler<Job>(std::move(handler)), std::move(options));
}

/// Runs a handler on one job, once, and says what becomes of the job.
///
///     auto run = run_handler<email>(send, email{"ada@example.com", "Welcome"});
///     BOOST_TEST((run.result.what() == coworker::outcome::kind::success));
///
/// @param handler  anything that `worker::handle` takes.
ended_run run_handler(job_handler handler, const raw_json& job, const job_conditions& conditions = {},
                      handle_options options = {});

template<class Job, class Handler>
requires(!std::same_as<Handler, klass_handlers>) ended_run
    run_handler(Handler handler, const std::type_identity_t<Job>& job, const job_conditions& conditions = {},
                handle_options options = {})
{
    return run_handler(make_handler<Job>(std::move(handler)), raw_json{encode(job).value()}, conditions,
                       std::move(options));
}
template<class Job>
ended_run run_handler(klass_handlers handlers, const std::type_identity_t<Job>& job,
                      const job_conditions& conditions = {}, handle_options options = {})
{
    return run_handler(std::move(handlers).as_handler(), raw_json{encode(job).value()}, conditions,
                       std::move(options));
}

} // namespace testing
} // namespace coworker
