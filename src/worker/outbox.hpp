// SPDX-License-Identifier: MIT
#pragma once

#include "worker/running_job.hpp"

#include <cstddef>
#include <list>

namespace coworker::detail {

/// Jobs of one queue that have ended and wait to be acknowledged, in the order in which they are sent; when the worker
/// stops, the last go first, since each job that is given back goes in front of those before it.
class outbox
{
public:
    /// How many of the `most` that are next go into one call.
    std::size_t fitting(std::size_t most, bool backwards) const;

    /// These leave it, to be sent.
    std::list<running_job> take(std::size_t count, bool backwards);
    /// They were sent, and nobody knows whether they have arrived: they come back, to be sent again.
    void put_back(std::list<running_job>& sent, bool backwards);

    /// Where a job goes. What is given back when the worker stops goes back in the order in which it was taken.
    std::list<running_job>::iterator place_of(const running_job& job, bool in_order_of_taking);
    std::list<running_job>& jobs() noexcept { return jobs_; }
    const std::list<running_job>& jobs() const noexcept { return jobs_; }

private:
    std::list<running_job> jobs_;
};

} // namespace coworker::detail
