// SPDX-License-Identifier: MIT
#include "worker/pace.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

using duration = pace::clock::duration;

/// Moves a mean towards what was observed just now.
void learn(duration& mean, duration observed, int weight) noexcept
{
    mean += (observed - mean) / weight;
}

/// How often this fits into that.
std::size_t how_many(duration span, duration each) noexcept
{
    return static_cast<std::size_t>(span / std::max(each, duration{1}));
}

} // namespace

void pace::started(time_point now, bool others_wait) noexcept
{
    if (others_waited_)
        learn(interval_, std::min<duration>(now - last_start_, std::chrono::seconds{1}), 16);
    others_waited_ = others_wait;
    last_start_ = now;
}

void pace::ended(time_point since, time_point now) noexcept
{
    last_end_ = now;
    if (now - since > short_run) {
        short_runs_ = 0;
        return;
    }
    learn(run_, now - since, 16);
    if (short_runs_ < sure)
        ++short_runs_;
}

void pace::fetched(clock::duration round_trip, std::size_t jobs, std::size_t bytes) noexcept
{
    // One that waited for a connection says nothing of the next.
    learn(round_trip_, std::min<duration>(round_trip, memory), 8);
    if (jobs != 0)
        job_size_ = bytes / jobs;
}

/// What ends in two round trips: one call is being answered, and the next one is under way.
std::size_t pace::may_wait(std::size_t places) const noexcept
{
    if (places == 0)
        return 0;
    const auto each = std::max(interval_, run_ / static_cast<duration::rep>(places));
    const auto soon = std::min(how_many(horizon, each), how_many(2 * round_trip_, each) + 1);
    const auto fitting = most_bytes / std::max<std::size_t>(job_size_, 1);
    return std::min({soon, fitting, most_jobs});
}

} // namespace coworker::detail
