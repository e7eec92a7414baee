// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/list_queue.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace coworker::detail {

/// The largest payload that a worker takes. Redis closes a subscriber's connection when 32 MB of answers wait for it;
/// who allows larger jobs has to raise that limit (`client-output-buffer-limit`).
inline std::int64_t deliverable_size(const list_queue_options& options)
{
    constexpr std::size_t safe = std::size_t{24} * 1024 * 1024, all = std::size_t{1} << 30;
    constexpr std::size_t frame = 4096; // what a payload has beside the job
    return static_cast<std::int64_t>(
        options.max_job_size == 0 ? all : std::max(safe, std::min(options.max_job_size, all) + frame));
}

} // namespace coworker::detail
