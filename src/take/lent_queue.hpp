// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "coworker/job_source.hpp"
#include "coworker/job_taker.hpp"
#include "redis/connection.hpp"
#include "signal.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace coworker::detail {

/// A queue whose jobs run elsewhere, and those who wait for its jobs. It keeps nothing of the jobs.
class lent_queue : public std::enable_shared_from_this<lent_queue>
{
public:
    using clock = std::chrono::steady_clock;

    lent_queue(const std::shared_ptr<connection>& redis, queue_ref queue, const job_taker_options& options);

    const queue_ref& queue() const noexcept { return queue_; }

    /// The queue as one worker sees it, for one call.
    std::unique_ptr<job_source> source_for(const std::string& worker) const;

    /// Sees to it that leases end, where no worker need do that.
    void keep_monitor();

    bool has_waiters() const noexcept { return !line_.empty() || is_taking_; }

    /// Ends all waiting, and the monitor.
    void stop();

    /// A place in the line of those who wait for a job.
    class place
    {
    public:
        explicit place(lent_queue& queue);
        ~place();
        place(const place&) = delete;
        place& operator=(const place&) = delete;

        /// Waits until it is this one's turn to take jobs. False if it is not until `deadline`, or the queue is
        /// stopped. Throws when cancelled, and what has happened to the queue.
        asio::awaitable<bool> wait_until(clock::time_point deadline);

        /// There was nothing to take: waits on, as the first in the line.
        void wait_again();

    private:
        friend class lent_queue;
        void leave();

        std::shared_ptr<lent_queue> queue_;
        asio::steady_timer timer_;
        bool is_called_ = false;
        std::exception_ptr error_;
    };

private:
    void begin_to_watch();
    asio::awaitable<void> watch();
    asio::awaitable<void> call_those_who_wait();
    void fail_all(const std::exception_ptr& error);

    std::shared_ptr<connection> redis_;
    queue_ref queue_;
    std::string managed_prefix_;
    std::chrono::milliseconds lease_;
    std::unique_ptr<job_source> watched_;
    std::deque<place*> line_;
    bool is_taking_ = false; ///< the one that was called last
    signal taken_;
    bool is_watched_ = false;
    bool is_monitored_ = false;
    bool is_stopped_ = false;
    asio::cancellation_signal end_watch_, end_monitor_;
};

} // namespace coworker::detail
