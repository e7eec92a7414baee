// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coworker::detail {

namespace asio = boost::asio;

/// Wakes coroutines on the same executor. What waits looks at its own condition again after every
/// wake-up: a signal carries none.
class signal
{
public:
    using clock = std::chrono::steady_clock;

    explicit signal(const asio::any_io_executor& executor) : timer_{executor, clock::time_point::max()} {}

    void notify()
    {
        if (waiting_ != 0) // a timer's cancel is not free
            timer_.cancel();
    }
    /// Wakes only the one that has waited for longest.
    void notify_one()
    {
        if (waiting_ != 0)
            timer_.cancel_one();
    }

    /// Returns after the next `notify`. Throws when cancelled.
    asio::awaitable<void> wait()
    {
        ++waiting_; // no guard: the signal may be gone when this frame is destroyed unfinished
        boost::system::error_code ignored; // an early wake-up is told as operation_aborted
        co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        --waiting_;
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none)
            throw boost::system::system_error{asio::error::operation_aborted};
    }

private:
    asio::steady_timer timer_;
    int waiting_ = 0;
};

} // namespace coworker::detail
