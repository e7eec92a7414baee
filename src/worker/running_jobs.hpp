// SPDX-License-Identifier: MIT
#pragma once

#include "worker/running_job.hpp"

#include <cstdint>
#include <list>

namespace coworker::detail {

/// The jobs that a worker holds, in the order in which they were taken, and the memory of those that it does not hold
/// any more, for the next ones.
class running_jobs
{
public:
    using iterator = std::list<running_job>::iterator;

    /// @param leased  not later than when its lease began
    /// @param now  when it arrived
    running_job& add(queue_runner& queue, fetched_job&& taken, running_job::clock::time_point leased,
                     running_job::clock::time_point now);

    bool empty() const noexcept { return held_.empty(); }
    iterator begin() noexcept { return held_.begin(); }
    iterator end() noexcept { return held_.end(); }

    /// Moves a job that has ended to those that are to be acknowledged.
    void move(running_job& job, std::list<running_job>& to, iterator place)
    {
        to.splice(place, held_, job.position);
    }

    /// A job that has ended and is not to be acknowledged. Its memory is left alone until nobody can look at it any
    /// more.
    void drop(running_job& job) { dropped_.splice(dropped_.end(), held_, job.position); }

    /// From `begin_look` to `end_look` a call is under way that looks at jobs.
    void begin_look() noexcept { ++looks_; }
    void end_look() noexcept { --looks_; }

    /// Keeps the memory of jobs that are acknowledged.
    void let_go(std::list<running_job>& ended);
    /// The same for those that were dropped, unless somebody looks.
    void let_go_of_dropped()
    {
        if (looks_ == 0)
            let_go(dropped_);
    }

private:
    std::list<running_job> held_; ///< to be started, running, or waiting for a renewal's answer
    std::list<running_job> dropped_;
    std::list<running_job> unused_;
    std::uint64_t taken_ = 0;
    int looks_ = 0;
};

} // namespace coworker::detail
