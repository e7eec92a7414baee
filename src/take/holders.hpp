// SPDX-License-Identifier: MIT
#pragma once

#include "batch_size.hpp"
#include "coworker/inspect/queue_ref.hpp"
#include "take/lease_token.hpp"

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Which jobs go into one call to Redis.
namespace coworker::detail {

/// Whose jobs one call can be about.
struct holder_of_jobs
{
    std::optional<unsigned> partition;
    std::string worker; ///< in managed queues its name is the lease

    auto operator<=>(const holder_of_jobs&) const = default;
};

/// Returns the positions of the jobs of each.
template<class Items, class JobOf>
std::map<holder_of_jobs, std::vector<std::size_t>> sort_by_holder(const queue_ref& queue, const Items& items,
                                                                  JobOf job_of)
{
    std::map<holder_of_jobs, std::vector<std::size_t>> sorted;
    for (std::size_t i = 0; i != items.size(); ++i) {
        const leased_job& of = job_of(items[i]);
        holder_of_jobs who{of.partition, queue.is_managed() ? *of.job.lease : std::string{"-"}};
        sorted[std::move(who)].push_back(i);
    }
    return sorted;
}

/// How many of the first go into one call.
template<class JobOf>
std::size_t size_of_call(std::span<const std::size_t> places, JobOf job_of)
{
    return batch_size(places, [&](std::size_t place) { return job_of(place).body.size(); });
}

} // namespace coworker::detail
