#pragma once

#include "redis/signal.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>

#include <list>
#include <memory>

namespace coworker::detail {

/// Coroutines that run beside each other and end together. Held by a shared pointer: a group lives until its
/// last coroutine has ended.
class task_group : public std::enable_shared_from_this<task_group>
{
public:
    explicit task_group(const asio::any_io_executor& executor) : executor_{executor}, changed_{executor} {}

    /// Starts a coroutine. Exceptions end it silently: a task handles its own.
    void spawn(asio::awaitable<void> task)
    {
        const auto signal = signals_.emplace(signals_.end());
        auto ended = [self = shared_from_this(), signal](std::exception_ptr) {
            self->signals_.erase(signal);
            self->changed_.notify();
        };
        asio::co_spawn(executor_, std::move(task),
                       asio::bind_cancellation_slot(signal->slot(), std::move(ended)));
    }

    void cancel()
    {
        // A cancelled task may end at once and leave the list.
        for (auto signal = signals_.begin(); signal != signals_.end();)
            (signal++)->emit(asio::cancellation_type::terminal);
    }

    /// Waits until all have ended.
    asio::awaitable<void> wait()
    {
        while (!signals_.empty())
            co_await changed_.wait();
    }

private:
    asio::any_io_executor executor_;
    std::list<asio::cancellation_signal> signals_;
    signal changed_;
};

} // namespace coworker::detail
