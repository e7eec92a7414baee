#include "coworker/worker.hpp"

#include "text/spans.hpp"
#include "worker/watch_leases.hpp"
#include "worker/worker_state.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <typeinfo>

namespace coworker {

worker::worker(asio::any_io_executor executor, worker_options options)
    : state_{std::make_shared<detail::worker_state>(std::move(executor), std::move(options))}
{}

worker::~worker()
{
    if (state_)
        state_->abandon();
}

worker::worker(worker&&) noexcept = default;

worker& worker::operator=(worker&& other) noexcept
{
    worker old{std::move(*this)};
    state_ = std::move(other.state_);
    return *this;
}

void worker::handle_source(std::unique_ptr<job_source> source, job_handler handler, handle_options options)
{
    state_->add_queue(std::move(source), std::move(handler), std::move(options));
}

asio::awaitable<void> worker::run()
{
    // The coroutine keeps the state, in case the worker is destroyed meanwhile.
    return [](std::shared_ptr<detail::worker_state> state) -> asio::awaitable<void> {
        co_await state->run();
    }(state_);
}

void worker::stop()
{
    asio::dispatch(get_executor(), [state = state_] { state->stop(); });
}

std::size_t worker::running() const noexcept
{
    return state_->running();
}

asio::any_io_executor worker::get_executor() const
{
    return state_->get_executor();
}

namespace detail {

namespace {

/// Whether what was thrown says that the source has ended for good.
bool has_stopped(const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (const system_error& thrown) {
        return thrown.code() == errc::stopped;
    } catch (...) {
        return false;
    }
}

} // namespace

void watched_connection::connection_event(const event& what)
{
    worker_->emit(what);
}

void watched_connection::new_connection()
{
    worker_->connected_again(*connection_);
}

worker_state::worker_state(asio::any_io_executor executor, worker_options options)
    : executor_{std::move(executor)}, options_{std::move(options)}, idle_loops_{make_group()},
      work_loops_{make_group()}, work_{executor_}, changed_{executor_}
{
    if (options_.concurrency == 0)
        throw system_error{errc::invalid_option, "a worker's concurrency is at least 1"};
    if (options_.drain_time.count() < 0)
        throw system_error{errc::invalid_option, "drain_time is negative"};
    options_.drain_time = bounded(options_.drain_time);
}

/// Loops that run beside each other. None ends by itself: what a loop does not handle ends the worker.
std::shared_ptr<task_group> worker_state::make_group()
{
    return std::make_shared<task_group>(get_executor(), [this](std::exception_ptr error) { die(error); });
}

void worker_state::add_queue(std::unique_ptr<job_source> source, job_handler handler, handle_options options)
{
    if (has_run_)
        throw system_error{errc::already_running};
    // A list queue and a managed queue of one name are two queues.
    const auto same = [&added = *source](const auto& queue) {
        const auto& other = *queue->source;
        return other.identity() == added.identity() && typeid(other) == typeid(added);
    };
    if (std::any_of(queues_.begin(), queues_.end(), same))
        throw system_error{errc::invalid_worker, "queue '" + source->name() + "' is handled already"};
    if (options.lease < std::chrono::milliseconds{100})
        throw system_error{errc::invalid_option, "a lease is at least 100 ms"};
    if (options.worker_grace.count() < 0)
        throw system_error{errc::invalid_option, "worker_grace is negative"};
    if (options.weight == 0)
        throw system_error{errc::invalid_option, "a weight is at least 1"};
    if (source->can().counts_attempts)
        options.max_attempts = 0;
    for (auto* span : {&options.lease, &options.time_limit, &options.deadline, &options.worker_grace})
        *span = bounded(*span);
    queues_.push_back(std::make_unique<queue_worker>(get_executor(), std::move(source), std::move(handler),
                                                     std::move(options)));
    queues_.back()->index = queues_.size() - 1;
    const auto& connection = queues_.back()->connection;
    const auto is_watched = [&](const auto& watched) { return watched.get() == connection; };
    if (connection && std::none_of(connections_.begin(), connections_.end(), is_watched))
        connections_.emplace_back(*this, connection);
}

void worker_state::emit(const event& what) const
{
    for (const auto& tell : options_.observers) {
        try {
            tell(what);
        } catch (...) { // an observer's troubles are its own
        }
    }
}

// --- life ----------------------------------------------------------------------------

asio::awaitable<void> worker_state::run()
{
    if (has_run_)
        throw system_error{errc::already_running};
    has_run_ = true;
    if (queues_.empty())
        throw system_error{errc::invalid_worker};

    // The work goes on beside this coroutine, whose cancellation only asks for its end.
    asio::co_spawn(
        get_executor(), [self = shared_from_this()] { return self->supervise(); },
        [self = shared_from_this()](std::exception_ptr error) {
            if (error && !self->failure_)
                self->failure_ = error;
            self->ended_ = true;
            self->changed_.notify();
        });
    co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
    bool cancelled = false;
    while (!ended_ && !cancelled) {
        try {
            co_await changed_.wait();
        } catch (const system_error&) {
            cancelled = true;
            abandon();
        }
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    while (!ended_)
        co_await changed_.wait();
    if (failure_)
        std::rethrow_exception(failure_);
    if (cancelled)
        throw system_error{asio::error::operation_aborted};
}

void worker_state::stop()
{
    stop_requested_ = true;
    if (dispatcher_)
        dispatcher_->stop_taking();
    changed_.notify();
    work_.notify();
}

/// The worker object is gone: end as soon as possible, without anybody waiting for it.
void worker_state::abandon()
{
    stop_at_once_ = true;
    stop();
}

/// Something happened after which the worker cannot go on.
void worker_state::die(std::exception_ptr why)
{
    if (!failure_)
        failure_ = why;
    session_ended_ = session_ended_ || has_stopped(why);
    stop_at_once_ = true;
    stop();
}

asio::awaitable<void> worker_state::supervise()
{
    const auto self = shared_from_this();
    if (stop_requested_)
        co_return;
    co_await open_queues();
    start_loops();
    while (!stop_requested_)
        co_await changed_.wait();

    emit({.kind = event_kind::draining, .count = dispatcher_->running()});
    idle_loops_->cancel();
    co_await idle_loops_->wait();
    co_await drain();
    work_loops_->cancel();
    co_await work_loops_->wait();
    for (const auto& queue : queues_)
        queue->rest_timer.cancel();
    co_await close_queues();
    emit({.kind = event_kind::stopped});
}

/// Opens a queue, again if the connection is lost meanwhile.
asio::awaitable<void> worker_state::open(queue_worker& queue)
{
    for (bool opened = false; !opened;) {
        try {
            co_await queue.source->open();
            opened = true;
        } catch (const system_error& error) {
            if (error.code() != errc::unanswered)
                throw;
        }
    }
}

asio::awaitable<void> worker_state::open_queues()
{
    std::vector<dispatcher::queue_limits> limits;
    for (const auto& queue : queues_) {
        const auto own = queue->options.concurrency;
        limits.push_back({own == 0 ? options_.concurrency : own, queue->options.weight});
    }
    dispatcher_.emplace(options_.order, options_.concurrency, std::move(limits));
    // A stop has to be heard while the server cannot be reached.
    auto opening = make_group();
    bool opened = false;
    opening->spawn([](worker_state& self, bool& done) -> asio::awaitable<void> {
        try {
            for (const auto& queue : self.queues_) {
                co_await self.open(*queue);
                queue->leases = lease_table{queue->source->lease_time(queue->options.lease)};
            }
        } catch (...) {
            if (!self.stop_requested_)
                self.die(std::current_exception());
        }
        done = true;
        self.changed_.notify();
    }(*this, opened));
    while (!opened && !stop_requested_)
        co_await changed_.wait();
    opening->cancel();
    co_await opening->wait();
}

void worker_state::start_loops()
{
    if (stop_requested_)
        return;
    for (const auto& queue : queues_) {
        idle_loops_->spawn(wait_loop(*queue));
        if (queue->options.monitor)
            idle_loops_->spawn(watch_leases(*queue->source, queue->options.lease, queue->options.worker_grace,
                                            [this](const event& what) { emit(what); }));
        work_loops_->spawn(renew_loop(*queue));
        work_loops_->spawn(guard_loop(*queue));
        work_loops_->spawn(losses_loop(*queue));
        work_loops_->spawn(pump());
        work_loops_->spawn(pump());
    }
    works_ = true;
}

/// Waits until the condition holds, at most until the deadline. Changes announce themselves.
asio::awaitable<void> worker_state::wait_until(clock::time_point deadline, auto condition)
{
    asio::steady_timer timeout{get_executor(), deadline};
    if (deadline != clock::time_point::max())
        timeout.async_wait([self = shared_from_this()](error_code ec) {
            if (!ec)
                self->changed_.notify();
        });
    while (!condition() && clock::now() < deadline)
        co_await changed_.wait();
}

asio::awaitable<void> worker_state::drain()
{
    const auto deadline = clock::now() + options_.drain_time;
    co_await wait_until(deadline, [this] { return running() == 0 || stop_at_once_; });
    // Ending a handler may remove its job from the list.
    for (auto job = jobs_.begin(); job != jobs_.end();)
        tell_to_end(*job++, end_reason::worker_stops);
    // After an unexpected exception a job may have nobody any more who runs it.
    co_await wait_until(clock::time_point::max(), [this] {
        return running() == 0 || (failure_ && runners_.empty() && ready_.empty());
    });

    // What is not stored when Redis stays away will run again: the leases end.
    const auto patience = time_to_flush();
    const auto flushed = patience.count() == 0 ? clock::time_point::max() : clock::now() + patience;
    co_await wait_until(flushed, [this] {
        return session_ended_ || ((jobs_.empty() || failure_) && dispatcher_->is_settled());
    });
}

/// How long outcomes are tried to be stored at the end: as long as any connection's calls may take. Zero: for ever.
std::chrono::milliseconds worker_state::time_to_flush() const
{
    constexpr std::chrono::seconds otherwise{10};
    std::chrono::milliseconds longest{connections_.empty() ? otherwise : std::chrono::seconds{0}};
    for (const auto& each : connections_) {
        const auto limit = bounded(each.get()->command_timeout());
        if (limit.count() == 0)
            return limit;
        longest = std::max(longest, limit);
    }
    return longest;
}

asio::awaitable<void> worker_state::close_queues()
{
    for (const auto& queue : queues_) {
        try {
            co_await queue->source->close();
        } catch (const system_error& error) {
            emit({.kind = event_kind::warning, .queue = queue->source->name(), .message = error.what()});
        } catch (...) {
            die(std::current_exception());
        }
    }
}

} // namespace detail
} // namespace coworker
