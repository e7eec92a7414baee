// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "coworker/job_taker.hpp"
#include "redis/connection/connection.hpp"
#include "signal.hpp"
#include "take/lent_part.hpp"

#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coworker::detail {

/// What is asked next would wait as long for the same server.
bool says_redis_is_away(const system_error& error);

/// A queue whose jobs run elsewhere, or its jobs of some kinds, and those who wait for these. It keeps nothing of the jobs.
class lent_queue : public std::enable_shared_from_this<lent_queue>
{
public:
    using clock = std::chrono::steady_clock;

    /// @param redis  the client's connection, not that of a part of a cluster
    /// @param kinds  of jobs that are taken; empty: all
    lent_queue(std::shared_ptr<connection> redis, queue_ref queue, const job_taker_options& options,
               lent_kinds kinds);

    const queue_ref& queue() const noexcept { return queue_; }

    /// Learns how many partitions the queue has, if that is not known or may have changed.
    asio::awaitable<void> open();

    /// The parts to ask for jobs, in this order: first the one that was served least for what waits in it, and none whose
    /// node is away, unless all are.
    std::vector<std::shared_ptr<lent_part>> parts_in_turn() const;
    /// How much more is taken from this part than from one with few jobs.
    double weight_of(const lent_part& part) const;
    /// There was nothing in it: the others are asked before it is asked again.
    void pass_over(lent_part& part) const;

    bool is_divided() const noexcept { return parts_.size() > 1; }

    /// The one that a token names.
    std::shared_ptr<lent_part> part(std::optional<unsigned> partition) const;

    /// Sees to it that leases end, where no worker need do that.
    void keep_monitors();

    /// This worker was seen: it counts among those of the queue.
    void note_worker(const std::string& name);

    bool has_waiters() const noexcept { return !line_.empty() || is_taking_; }

    /// Ends all waiting, and the monitors.
    void stop();

    /// A place in the line of those who wait for a job.
    class place
    {
    public:
        explicit place(lent_queue& queue);
        ~place();
        place(const place&) = delete;
        place& operator=(const place&) = delete;

        /// Waits until it is this one's turn to take jobs, and returns from where. Null if it is not until `deadline`,
        /// or the queue is stopped. Throws when cancelled, and what has happened to the queue.
        asio::awaitable<std::shared_ptr<lent_part>> wait_until(clock::time_point deadline);

        /// There was nothing to take: waits on, as the first in the line.
        void wait_again();

    private:
        friend class lent_queue;
        void leave();

        std::shared_ptr<lent_queue> queue_;
        asio::steady_timer timer_;
        std::shared_ptr<lent_part> called_by_;
        std::exception_ptr error_;
    };

private:
    asio::awaitable<void> learn();
    void add_partitions(unsigned count);
    std::shared_ptr<lent_part> make_part(std::optional<unsigned> partition) const;
    void begin_to_watch();
    void end_of_watch(const std::exception_ptr& error);
    asio::awaitable<void> watch(std::shared_ptr<lent_part> part);
    asio::awaitable<void> call_those_who_wait(std::shared_ptr<lent_part> part);
    void fail_all(const std::exception_ptr& error);

    std::shared_ptr<connection> redis_;
    queue_ref queue_;
    job_taker_options options_;
    lent_kinds kinds_;
    std::vector<std::shared_ptr<lent_part>>
        parts_;                       ///< first the queue as a whole, where there can be jobs in it
    bool is_known_ = false;           ///< how many partitions there are
    clock::time_point known_until_{}; ///< when to ask that again
    std::map<std::string, clock::time_point> noted_; ///< workers, and until when that need not be noted again
    std::deque<place*> line_;
    bool is_taking_ = false; ///< the one that was called last
    signal taken_;
    bool is_stopped_ = false;
};

} // namespace coworker::detail
