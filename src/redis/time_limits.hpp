// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <list>
#include <memory>

namespace coworker::detail {

namespace asio = boost::asio;

/// Cancels requests that are not answered in time. Most have the same time, so they run out in the order in which they
/// began, and one timer serves them all: a request that is answered in time sets none.
class time_limits : public std::enable_shared_from_this<time_limits>
{
public:
    using clock = std::chrono::steady_clock;

    explicit time_limits(const asio::any_io_executor& executor) : timer_{executor} {}

    /// Something to be cancelled at `deadline`; never, at `time_point::max()`.
    class limited
    {
    public:
        limited(time_limits& all, clock::time_point deadline);
        ~limited();
        limited(const limited&) = delete;
        limited& operator=(const limited&) = delete;

        /// Where to be told of it: a terminal cancellation.
        asio::cancellation_slot slot() noexcept { return signal_.slot(); }
        void cancel() { signal_.emit(asio::cancellation_type::terminal); }

    private:
        friend class time_limits;

        time_limits& all_;
        clock::time_point deadline_;
        asio::cancellation_signal signal_;
        bool listed_ = false;
        std::list<limited*>::iterator place_;
    };

    /// The timer keeps the context running, so it is given up when the client ends.
    void stop() { timer_.cancel(); }

private:
    void set_timer();

    asio::steady_timer timer_;
    bool set_ = false;
    std::list<limited*> running_; ///< the next to run out first
};

} // namespace coworker::detail
