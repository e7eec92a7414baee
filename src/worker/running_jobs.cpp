// SPDX-License-Identifier: MIT
#include "worker/running_jobs.hpp"

#include "bounds.hpp"
#include "worker/pace.hpp"

#include <iterator>

namespace coworker::detail {
namespace {

/// Jobs kept for the next ones: those that wait for a place, and a batch in each of two calls.
constexpr std::size_t most_unused = pace::most_jobs + 2 * max_batch;

} // namespace

running_job& running_jobs::add(queue_runner& queue, fetched_job&& taken,
                               running_job::clock::time_point leased, running_job::clock::time_point now)
{
    if (unused_.empty())
        unused_.emplace_front();
    held_.splice(held_.end(), unused_, unused_.begin());
    auto& job = held_.back();
    job.position = std::prev(held_.end());
    job.begin(queue, std::move(taken), leased, now, ++taken_);
    return job;
}

void running_jobs::let_go(std::list<running_job>& ended)
{
    for (auto& job : ended)
        job.end();
    unused_.splice(unused_.begin(), ended);
    if (unused_.size() > most_unused)
        unused_.erase(std::next(unused_.begin(), most_unused), unused_.end());
}

} // namespace coworker::detail
