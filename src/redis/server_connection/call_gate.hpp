// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <list>

namespace coworker::detail {

namespace asio = boost::asio;

/// Where calls wait until the connection may carry them. They pass in the order in which they came.
class call_gate
{
public:
    using clock = std::chrono::steady_clock;

    explicit call_gate(asio::any_io_executor executor) : executor_{std::move(executor)} {}

    /// Whether a call that comes now need not wait.
    bool is_open() const noexcept { return open_ && waiting_.empty(); }
    void open();
    void close() noexcept { open_ = false; }
    /// Whether calls wait here.
    bool is_awaited() const noexcept { return !waiting_.empty(); }

    /// Wakes all that wait, since there may be a reason not to wait any longer.
    void wake_all();

    /// The place of a call in the line.
    class place
    {
    public:
        place(call_gate& gate, clock::time_point deadline);
        ~place();
        place(const place&) = delete;
        place& operator=(const place&) = delete;

        bool may_pass() const noexcept { return gate_.open_ && gate_.waiting_.front() == this; }

        /// Returns at the deadline, or earlier, when it is to be seen whether the call may pass. Throws when cancelled.
        asio::awaitable<void> wait();

    private:
        friend class call_gate;

        call_gate& gate_;
        asio::steady_timer timer_;
        std::list<place*>::iterator at_;
    };

private:
    asio::any_io_executor executor_;
    bool open_ = false;
    std::list<place*> waiting_; ///< who came first in front
};

} // namespace coworker::detail
