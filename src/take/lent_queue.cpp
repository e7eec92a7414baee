// SPDX-License-Identifier: MIT
#include "take/lent_queue.hpp"

#include "list/list_source.hpp"
#include "managed/managed_source.hpp"
#include "worker/watch_leases.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace coworker::detail {

lent_queue::lent_queue(const std::shared_ptr<connection>& redis, queue_ref queue,
                       const job_taker_options& options)
    : redis_{queue.is_managed() ? redis->for_prefix(options.managed_prefix) : redis->for_queue(queue.name())},
      queue_{std::move(queue)}, managed_prefix_{options.managed_prefix.str()}, lease_{options.lease},
      watched_{source_for("-")}, taken_{redis_->get_executor()}
{}

std::unique_ptr<job_source> lent_queue::source_for(const std::string& worker) const
{
    std::unique_ptr<job_source> source;
    if (queue_.is_managed()) {
        const managed_options options{.prefix = managed_prefix_};
        source = std::make_unique<managed_source>(redis_, queue_.name(), options, worker);
    } else {
        source = std::make_unique<list_source>(redis_, queue_.name(), list_queue_options{}, holder::nobody);
    }
    source->lease_time(lease_);
    return source;
}

// --- the monitor ---------------------------------------------------------------------

void lent_queue::keep_monitor()
{
    if (queue_.is_managed() || is_monitored_ ||
        is_stopped_) // each fetch from a managed queue finds leases that have ended
        return;
    is_monitored_ = true;
    constexpr std::chrono::milliseconds grace{1'500};
    auto ended = [self = shared_from_this()](std::exception_ptr) { self->is_monitored_ = false; };
    asio::co_spawn(redis_->get_executor(), watch_leases(*watched_, lease_, grace, [](const event&) {}),
                   asio::bind_cancellation_slot(end_monitor_.slot(), std::move(ended)));
}

void lent_queue::stop()
{
    is_stopped_ = true;
    fail_all(nullptr);
    const auto self = shared_from_this(); // the last coroutine may end here
    end_monitor_.emit(asio::cancellation_type::terminal);
    end_watch_.emit(asio::cancellation_type::terminal);
}

// --- waiting -------------------------------------------------------------------------

/// One waits for the queue on behalf of all: were each told of each job, all would ask for it.
void lent_queue::begin_to_watch()
{
    if (is_watched_)
        return;
    is_watched_ = true;
    auto ended = [self = shared_from_this()](std::exception_ptr error) {
        self->is_watched_ = false;
        self->fail_all(error);
    };
    asio::co_spawn(redis_->get_executor(), watch(),
                   asio::bind_cancellation_slot(end_watch_.slot(), std::move(ended)));
}

asio::awaitable<void> lent_queue::watch()
{
    while (!line_.empty()) {
        try {
            co_await call_those_who_wait();
        } catch (const system_error& error) {
            if (error.code() != errc::in_doubt) // the next call waits for the next connection
                throw;
        }
    }
}

asio::awaitable<void> lent_queue::call_those_who_wait()
{
    while (!line_.empty()) {
        co_await watched_->wait_for_jobs();
        if (line_.empty())
            co_return;
        auto* const first = line_.front();
        line_.pop_front();
        is_taking_ = true;
        first->is_called_ = true;
        first->timer_.cancel();
        while (is_taking_)
            co_await taken_.wait();
    }
}

void lent_queue::fail_all(const std::exception_ptr& error)
{
    for (auto* const each : std::exchange(line_, {})) {
        each->error_ = error;
        each->timer_.cancel();
    }
}

lent_queue::place::place(lent_queue& queue)
    : queue_{queue.shared_from_this()}, timer_{queue.redis_->get_executor()}
{
    queue_->line_.push_back(this);
}

lent_queue::place::~place()
{
    leave();
}

void lent_queue::place::leave()
{
    std::erase(queue_->line_, this);
    if (!std::exchange(is_called_, false))
        return;
    queue_->is_taking_ = false;
    queue_->taken_.notify();
}

void lent_queue::place::wait_again()
{
    leave();
    queue_->line_.push_front(this);
}

asio::awaitable<bool> lent_queue::place::wait_until(clock::time_point deadline)
{
    if (queue_->is_stopped_)
        co_return false;
    queue_->begin_to_watch();
    if (!error_) { // which the watch has, if it could not even begin
        timer_.expires_at(deadline);
        error_code ignored;
        co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw system_error{asio::error::operation_aborted};
    if (error_)
        std::rethrow_exception(error_);
    co_return is_called_;
}

} // namespace coworker::detail
