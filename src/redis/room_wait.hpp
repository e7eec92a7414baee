// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/backoff.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coworker::detail {

/// The waits of a push between its attempts to get into a full queue: short ones first, a second at last. Nobody tells
/// producers that there is room: there may be as many of them as there are jobs.
class room_wait
{
public:
    explicit room_wait(boost::asio::any_io_executor executor) : timer_{std::move(executor)} {}

    /// The next wait. Throws when it is cancelled.
    boost::asio::awaitable<void> wait()
    {
        timer_.expires_after(pace_(++attempts_));
        co_await timer_.async_wait(boost::asio::use_awaitable);
    }

private:
    boost::asio::steady_timer timer_;
    exponential_backoff pace_{.initial = std::chrono::milliseconds{50}, .maximum = std::chrono::seconds{1}};
    unsigned attempts_ = 0;
};

} // namespace coworker::detail
