// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/timestamp.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace coworker {

/// What became of jobs in one minute.
struct minute_counts
{
    timestamp minute;            ///< when it began
    std::uint64_t succeeded = 0; ///< jobs that are done
    std::uint64_t failed = 0;    ///< jobs that were given up
    std::uint64_t retried = 0;   ///< retries

    /// The same minute and numbers.
    friend bool operator==(const minute_counts&, const minute_counts&) = default;
};

/// How many jobs ended so in a minute, on average.
struct jobs_per_minute
{
    double succeeded = 0; ///< jobs that are done
    double failed = 0;    ///< jobs that were given up
    double retried = 0;   ///< retries
};

/// What became of the jobs of a queue lately, minute by minute.
struct queue_history
{
    /// The oldest first. Minutes in which no job ended are left out.
    std::vector<minute_counts> minutes;
    timestamp from;  ///< when the first minute begins that was asked for
    timestamp until; ///< the present, by the clock of Redis

    /// The average over whole minutes, and the present one so far if a job is known to have ended in it. In a managed
    /// queue a minute is usually noted when it is over.
    ///
    /// @param span  how many whole minutes: at least one, and at most those since `from`
    /// @return the rates; zero if nothing was read.
    jobs_per_minute rates(std::chrono::minutes span = std::chrono::minutes{5}) const;
};

} // namespace coworker
