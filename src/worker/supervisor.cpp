// SPDX-License-Identifier: MIT
#include "worker/supervisor.hpp"

#include "worker/longest_command.hpp"
#include "worker/monitor_loops.hpp"
#include "worker/pump.hpp"
#include "worker/same_executor.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <typeinfo>

namespace coworker::detail {
namespace {

/// How long a source has for signing off when there is no time left, or when the worker hurries: a few round trips.
constexpr std::chrono::milliseconds last_moment{250};

} // namespace

supervisor::watched_connection::watched_connection(supervisor& owner,
                                                   std::shared_ptr<source_connection> which)
    : owner_{owner}, connection_{std::move(which)}
{
    connection_->attach(*this);
}

supervisor::supervisor(asio::any_io_executor executor, worker_options options)
    : options_{std::move(options)}, life_{std::move(executor), options_.observers.get()},
      dispatcher_{options_.order, options_.concurrency, {}}, handlers_{life_, dispatcher_},
      late_calls_{life_, dispatcher_}, idle_loops_{make_group()}, work_loops_{make_group()}
{
    if (options_.concurrency == 0)
        throw explained_error{errc::invalid_option, "a worker's concurrency is at least 1"};
    if (options_.shutdown_timeout.count() < 0)
        throw explained_error{errc::invalid_option, "shutdown_timeout is negative"};
}

/// Loops that run beside each other. None ends by itself: what a loop does not handle ends the worker.
std::shared_ptr<task_group> supervisor::make_group()
{
    return std::make_shared<task_group>(get_executor(),
                                        [this](std::exception_ptr error) { life_.die(error); });
}

void supervisor::add_queue(std::unique_ptr<job_source> source, job_handler handler, handle_options options)
{
    if (is_to_run_)
        throw system_error{errc::already_running};
    if (handles(*source))
        throw explained_error{errc::invalid_worker, "queue '" + source->name() + "' is handled already"};
    check_executor(*source, get_executor(), "worker");
    if (options.lease < std::chrono::milliseconds{100})
        throw explained_error{errc::invalid_option, "a lease is at least 100 ms"};
    if (options.worker_grace.count() < 0)
        throw explained_error{errc::invalid_option, "worker_grace is negative"};
    if (options.weight == 0)
        throw explained_error{errc::invalid_option, "a weight is at least 1"};
    if (source->can().counts_attempts)
        options.max_attempts = 0;
    // These are not kept with the options, which may be copied for a job.
    auto elsewhere = std::exchange(options.executor.get(), {});
    if (elsewhere == get_executor())
        elsewhere = {};
    // The queue's own are inside of the worker's.
    auto around = options_.middleware.get();
    around.insert(around.end(), options.middleware.begin(), options.middleware.end());
    options.middleware = {};
    handler = with_middleware(std::move(handler), std::move(around));
    const dispatcher::queue_limits limits{
        options.concurrency == 0 ? options_.concurrency : options.concurrency, options.weight};
    queues_.push_back(std::make_unique<queue_runner>(life_, dispatcher_, handlers_, queues_.size(),
                                                     std::move(source), std::move(handler),
                                                     std::move(elsewhere), std::move(options)));
    dispatcher_.add_queue(limits);
}

/// A list queue and a managed queue of one name are two queues.
bool supervisor::handles(const job_source& source) const
{
    return std::any_of(queues_.begin(), queues_.end(), [&source](const auto& queue) {
        const auto& other = queue->source();
        return other.identity() == source.identity() && typeid(other) == typeid(source);
    });
}

void supervisor::watch_connection(const queue_runner& queue)
{
    const auto& connection = queue.connection();
    const auto is_watched = [&](const auto& watched) { return watched.get() == connection; };
    if (connection && std::none_of(connections_.begin(), connections_.end(), is_watched))
        connections_.emplace_back(*this, connection);
}

void supervisor::add_parts(const queue_runner& whole, std::vector<std::unique_ptr<job_source>> parts)
{
    for (auto& source : parts) {
        if (handles(*source)) // it was added by its own name
            continue;
        const auto index = dispatcher_.add_part(whole.index());
        queues_.push_back(std::make_unique<queue_runner>(life_, dispatcher_, handlers_, index,
                                                         std::move(source), whole.handler(),
                                                         whole.handler_executor(), whole.options()));
        watch_connection(*queues_.back());
        idle_loops_->spawn(begin(*queues_.back()));
    }
}

// --- life ----------------------------------------------------------------------------

asio::awaitable<void> supervisor::run()
{
    if (has_run_)
        throw system_error{errc::already_running};
    has_run_ = true;
    life_.belongs_to(weak_from_this());
    if (queues_.empty())
        throw system_error{errc::invalid_worker};

    // The work goes on beside this coroutine, whose cancellation only asks for its end.
    asio::co_spawn(
        get_executor(), [self = shared_from_this()] { return self->supervise(); },
        [self = shared_from_this()](std::exception_ptr error) {
            if (error)
                self->life_.fail(error);
            self->ended_ = true;
            self->life_.has_changed();
        });
    co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
    bool cancelled = false;
    while (!ended_ && !cancelled) {
        try {
            co_await life_.wait_for_change();
        } catch (const system_error&) {
            cancelled = true;
            abandon();
        }
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    while (!ended_)
        co_await life_.wait_for_change();
    if (life_.failure())
        std::rethrow_exception(life_.failure());
    if (cancelled)
        throw system_error{asio::error::operation_aborted};
}

asio::awaitable<void> supervisor::supervise()
{
    const auto self = shared_from_this();
    if (!life_.stops())
        co_await work();
    leave();
}

asio::awaitable<void> supervisor::work()
{
    for (const auto& queue : queues_)
        watch_connection(*queue);
    co_await begin_queues();
    while (!life_.stops())
        co_await life_.wait_for_change();

    life_.emit({.kind = event_kind::stopping, .count = dispatcher_.running()});
    handlers_.start(); // jobs that wait for a place go back
    handlers_.end_gathering();
    idle_loops_->cancel();
    co_await idle_loops_->wait();
    co_await drain();
    work_loops_->cancel();
    co_await work_loops_->wait();
    handlers_.end_looks();
    late_calls_.end_looks();
    for (const auto& queue : queues_)
        queue->end_rest();
    co_await close_queues();
    life_.emit({.kind = event_kind::stopped});
}

/// From here on, everything can be destroyed on any thread.
void supervisor::leave()
{
    connections_.clear();
    for (const auto& queue : queues_)
        queue->leave();
    has_left_ = true;
}

/// All begin together, so that their order holds from the first job on; but a queue whose server is away keeps the
/// others waiting only for a moment.
asio::awaitable<void> supervisor::begin_queues()
{
    constexpr std::chrono::seconds moment{1};
    for (const auto& queue : queues_)
        idle_loops_->spawn(begin(*queue));
    const auto is_open = [](const auto& queue) { return queue->is_open(); };
    co_await wait_until(clock::now() + moment, [&] {
        return life_.stops() || std::all_of(queues_.begin(), queues_.end(), is_open);
    });
    if (life_.stops())
        co_return;
    have_begun_ = true;
    for (const auto& queue : queues_)
        if (queue->is_open())
            dispatcher_.jobs_ready(queue->index()); // as far as is known
    std::vector<queue_runner*> first;               // parts are added from here on
    for (const auto& queue : queues_)
        first.push_back(queue.get());
    std::vector<job_source*> monitored;
    for (auto* const queue : first) {
        if (queue->is_open())
            start_loops(*queue);
        if (queue->options().monitor)
            monitored.push_back(&queue->source());
        idle_loops_->spawn(add_new_parts(
            queue->source(), [this](const event& what) { life_.emit(what); },
            [this, &whole = *queue](auto parts) { add_parts(whole, std::move(parts)); }));
    }
    for (auto* source : schedule_keepers(monitored))
        idle_loops_->spawn(carry_out_schedules(*source, [this](const event& what) { life_.emit(what); }));
}

asio::awaitable<void> supervisor::begin(queue_runner& queue)
{
    try {
        co_await queue.open();
    } catch (...) {
        if (life_.stops())
            co_return;
        throw;
    }
    if (have_begun_) {
        dispatcher_.jobs_ready(queue.index());
        start_loops(queue);
    }
    life_.has_changed();
}

void supervisor::start_loops(queue_runner& queue)
{
    if (life_.stops())
        return;
    const auto& options = queue.options();
    idle_loops_->spawn(queue.wait_loop());
    if (options.monitor)
        idle_loops_->spawn(return_lost_jobs(queue.source(), options.lease, options.worker_grace,
                                            [this](const event& what) { life_.emit(what); }));
    work_loops_->spawn(queue.leases().renew_loop());
    work_loops_->spawn(queue.leases().guard_loop());
    work_loops_->spawn(queue.leases().losses_loop());
    if (queue.source().can().keeps_notes)
        work_loops_->spawn(queue.notes().send_loop(work_loops_));
    for (int i = 0; i != 2; ++i)
        work_loops_->spawn(pump(life_, dispatcher_, late_calls_, handlers_.jobs(), queues_));
}

/// Waits until the condition holds, at most until the deadline. Changes announce themselves.
asio::awaitable<void> supervisor::wait_until(clock::time_point deadline, auto condition)
{
    asio::steady_timer timeout{get_executor(), deadline};
    if (deadline != clock::time_point::max())
        timeout.async_wait([self = shared_from_this()](error_code ec) {
            if (!ec)
                self->life_.has_changed();
        });
    while (!condition() && clock::now() < deadline)
        co_await life_.wait_for_change();
}

/// The same for what sources have to do, for which a worker that hurries does not wait.
asio::awaitable<void> supervisor::wait_for_sources(clock::time_point deadline, auto condition)
{
    co_await wait_until(deadline, [&] { return condition() || life_.hurries(); });
    co_await wait_until(std::min(deadline, clock::now() + last_moment), condition);
}

/// What runs on one that has stopped is not waited for.
void supervisor::look_at_executors()
{
    for (const auto& queue : queues_)
        handlers_.look_at_executor(*queue);
}

asio::awaitable<void> supervisor::drain()
{
    look_at_executors();
    const auto deadline = clock::now() + options_.shutdown_timeout;
    co_await wait_until(deadline, [this] { return running() == 0 || life_.stops_at_once(); });
    look_at_executors();
    handlers_.tell_all_to_end(end_reason::worker_stops);
    // After an unexpected exception a job may have nobody any more who runs it.
    co_await wait_until(clock::time_point::max(),
                        [this] { return running() == 0 || (life_.failure() && handlers_.is_idle()); });

    // What is not stored when Redis stays away will run again: the leases end.
    auto flush_until = clock::time_point::max();
    if (const auto patience = time_to_flush(); patience.count() != 0) {
        give_up_at_ = clock::now() + patience;
        flush_until = give_up_at_ - std::min(last_moment, patience / 4); // which is left for signing off
    }
    co_await wait_for_sources(flush_until, [this] {
        return life_.source_has_ended() ||
               ((handlers_.jobs().empty() || life_.failure()) && dispatcher_.is_settled());
    });
}

/// How long outcomes are tried to be stored at the end: as long as any connection's calls may take. Zero: for ever.
std::chrono::milliseconds supervisor::time_to_flush() const
{
    std::vector<std::shared_ptr<source_connection>> connections;
    for (const auto& each : connections_)
        connections.push_back(each.get());
    return longest_command(connections);
}

/// All at the same time, within what is left of the time for storing outcomes: their servers may be away.
asio::awaitable<void> supervisor::close_queues()
{
    const auto closing = make_group();
    for (const auto& queue : queues_)
        closing->spawn(queue->close());
    co_await wait_for_sources(std::max(give_up_at_, clock::now() + last_moment), [this] {
        return std::all_of(queues_.begin(), queues_.end(),
                           [](const auto& queue) { return queue->is_closed(); });
    });
    closing->cancel();
    co_await closing->wait();
}

/// While there was no connection, others may have taken this worker's jobs for lost; and a server that has become the
/// primary may not know what was done.
void supervisor::connected_again(const source_connection& connection)
{
    for (const auto& queue : queues_)
        if (queue->is_open() && queue->connection().get() == &connection)
            queue->connected_again();
    life_.there_is_work();
}

} // namespace coworker::detail
