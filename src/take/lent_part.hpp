// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "coworker/job_source.hpp"
#include "coworker/job_taker.hpp"
#include "redis/connection/connection.hpp"

#include <boost/asio/cancellation_signal.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coworker::detail {

/// Kinds of jobs that are taken, in order; empty: all.
using lent_kinds = std::vector<std::pair<std::string, unsigned>>;

/// Where jobs of a lent queue stand: the queue as a whole, or one of the partitions of a list queue.
class lent_part : public std::enable_shared_from_this<lent_part>
{
public:
    /// @param redis  the client's connection, not that of a part of a cluster
    /// @param partition  which one; nothing: the queue as a whole
    /// @param kinds  of jobs that are taken; empty: all
    lent_part(const std::shared_ptr<connection>& redis, const queue_ref& queue,
              std::optional<unsigned> partition, const job_taker_options& options, lent_kinds kinds);

    queue_kind kind() const noexcept { return queue_.kind(); }
    std::optional<unsigned> partition() const noexcept { return partition_; }

    /// Its node is away, in a cluster.
    bool is_away() const noexcept { return redis_->is_away(); }

    /// How many jobs wait there after the last call that took some, as far as is known.
    std::size_t waiting() const noexcept { return waiting_; }
    /// How many jobs were taken from it, and are being taken, by weight: the least served part is next.
    double served() const noexcept { return served_; }
    /// It begins, or goes on, behind those that have been served as much.
    void join_at(double served) noexcept { served_ = std::max(served_, served); }

    /// A call that takes jobs, which counts as if it took all that are asked for, until it has ended.
    class call
    {
    public:
        call(lent_part& part, std::size_t count, double weight) noexcept
            : part_{part}, weight_{weight}, charged_{static_cast<double>(count) / weight}
        {
            part_.served_ += charged_;
        }
        ~call() { part_.served_ += taken_ / weight_ - charged_; }
        call(const call&) = delete;
        call& operator=(const call&) = delete;

        void ended(std::size_t taken, std::size_t waiting) noexcept
        {
            taken_ = static_cast<double>(taken);
            part_.waiting_ = waiting;
        }

    private:
        lent_part& part_;
        double weight_, charged_, taken_ = 0;
    };

    /// It as one worker sees it, for one call.
    std::unique_ptr<job_source> source_for(const std::string& worker) const;

    /// Waits until there may be jobs. One call at a time.
    asio::awaitable<job_source::wake_up> wait_for_jobs() { return watched_->wait_for_jobs(); }

    /// Sees to it that leases end, where no worker need do that.
    void keep_monitor();

    /// Notes that this worker was seen. Nobody waits for that, and nothing depends on it.
    void note_worker(const std::string& name);

    bool is_watched() const noexcept { return is_watched_; }

    /// Runs `watch`, unless one runs. `ended` is told when it has ended, and of what.
    void keep_watch(const std::function<asio::awaitable<void>()>& watch,
                    std::function<void(std::exception_ptr)> ended);

    /// Ends the watch and the monitor.
    void stop();

private:
    asio::awaitable<void> store_worker(std::string name) const;

    std::shared_ptr<connection> redis_;
    queue_ref queue_; ///< a partition by its own name
    std::optional<unsigned> partition_;
    std::string managed_prefix_;
    std::chrono::milliseconds lease_;
    lent_kinds kinds_;
    std::unique_ptr<job_source> watched_;
    std::size_t waiting_ = 0;
    double served_ = 0;
    bool is_watched_ = false;
    bool is_monitored_ = false;
    asio::cancellation_signal end_watch_, end_monitor_;
};

} // namespace coworker::detail
