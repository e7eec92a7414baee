// SPDX-License-Identifier: MIT
#pragma once

#include "signal.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/system/system_error.hpp>

#include <functional>
#include <list>
#include <memory>

namespace coworker::detail {

/// Coroutines that run beside each other and end together. Held by a shared pointer: a group lives until its
/// last coroutine has ended.
class task_group : public std::enable_shared_from_this<task_group>
{
public:
    /// @param failed  called with an exception that has ended a task, unless that was its cancellation
    task_group(const asio::any_io_executor& executor, std::function<void(std::exception_ptr)> failed)
        : executor_{executor}, failed_{std::move(failed)}, changed_{executor}
    {}

    /// Starts a coroutine, unless the group was cancelled: nobody would cancel this one.
    void spawn(asio::awaitable<void> task)
    {
        if (cancelled_)
            return;
        const auto signal = signals_.emplace(signals_.end());
        auto ended = [self = shared_from_this(), signal](std::exception_ptr error) {
            self->signals_.erase(signal);
            if (error && !(self->cancelled_ && is_cancellation(error)))
                self->failed_(error);
            self->changed_.notify();
        };
        asio::co_spawn(executor_, std::move(task),
                       asio::bind_cancellation_slot(signal->slot(), std::move(ended)));
    }

    bool is_cancelled() const noexcept { return cancelled_; }

    void cancel()
    {
        cancelled_ = true;
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
    static bool is_cancellation(const std::exception_ptr& error)
    {
        try {
            std::rethrow_exception(error);
        } catch (const boost::system::system_error& thrown) {
            return thrown.code() == asio::error::operation_aborted;
        } catch (...) {
            return false;
        }
    }

    asio::any_io_executor executor_;
    std::function<void(std::exception_ptr)> failed_;
    bool cancelled_ = false;
    std::list<asio::cancellation_signal> signals_;
    signal changed_;
};

} // namespace coworker::detail
