// SPDX-License-Identifier: MIT
#pragma once

#include "bounds.hpp"

#include <cstddef>
#include <span>

namespace coworker::detail {

/// How many of these jobs go into one call: at least one, and not more than some megabytes.
template<class Job, class Size>
std::size_t batch_size(std::span<Job> jobs, Size size_of)
{
    std::size_t count = 0;
    std::size_t bytes = 0;
    while (count < jobs.size() && count < max_batch) {
        bytes += size_of(jobs[count]);
        if (count != 0 && bytes > max_batch_bytes)
            break;
        ++count;
    }
    return count;
}

} // namespace coworker::detail
