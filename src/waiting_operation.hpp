// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/completion.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace coworker::detail {

/// An operation that has begun, and is completed by whoever carries it out together with others. Costs less than a
/// coroutine of its own, which is what `operation<T>::launch` gives to an operation.
///
/// All members but `begin` are called on the client's executor.
template<class T>
class waiting_operation : public std::enable_shared_from_this<waiting_operation<T>>
{
public:
    using handler_type = typename operation<T>::handler;

    virtual ~waiting_operation() = default;

    /// Begins it, once. It ends when it is completed, or cancelled in one of the ways in `obeyed`.
    void begin(const asio::any_io_executor& executor, handler_type handler, asio::cancellation_type obeyed)
    {
        work_.emplace(asio::get_associated_executor(handler, executor));
        handler_ = std::move(handler);
        auto slot = asio::get_associated_cancellation_slot(handler_);
        if (obeyed == asio::cancellation_type::none || !slot.is_connected())
            return;
        is_cancellable_ = true;
        slot.assign([self = this->weak_from_this(), obeyed, executor](asio::cancellation_type type) {
            if ((type & obeyed) == asio::cancellation_type::none)
                return;
            asio::post(executor, [self] { // not from here: the end clears the slot
                const auto here = self.lock();
                if (!here || here->has_ended())
                    return;
                here->complete(std::make_exception_ptr(system_error{asio::error::operation_aborted}), T{});
                here->cancelled();
            });
        });
    }

    bool is_cancellable() const noexcept { return is_cancellable_; }
    bool has_ended() const noexcept { return !handler_; }

    /// Calls the handler where it wants to be called; does nothing if that has been done.
    void complete(std::exception_ptr why, T value)
    {
        if (has_ended())
            return;
        const auto executor = work_->get_executor();
        asio::dispatch(executor, [handler = std::exchange(handler_, nullptr), work = std::move(*work_),
                                  why = std::move(why), value = std::move(value)]() mutable {
            asio::get_associated_cancellation_slot(handler).clear();
            work.reset();
            std::move(handler)(std::move(why), std::move(value));
        });
    }

protected:
    /// It has ended because it was cancelled.
    virtual void cancelled() = 0;

private:
    std::optional<asio::executor_work_guard<asio::any_completion_executor>> work_;
    handler_type handler_;
    bool is_cancellable_ = false;
};

} // namespace coworker::detail
