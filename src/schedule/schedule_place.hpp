// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/schedules.hpp"
#include "redis/connection/connection.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::detail {

/// Of the JSON of a schedule's job, in bytes.
inline constexpr std::size_t largest_scheduled_job = 256 * 1024;

/// Where schedules are kept: those of all managed queues with a prefix, or those of one list queue.
struct schedule_place
{
    std::shared_ptr<connection> redis;
    std::string scripts;           ///< in which folder theirs are
    std::vector<std::string> keys; ///< of their scripts; the second has the schedules by when they are due
    std::vector<std::string> job_keys{}; ///< that the scripts get besides which push jobs
    /// Reads what the layout stores of the jobs: the field `options`, when all else was read.
    void (*read_options)(std::string_view stored, schedule_status& into);

    const script& find(std::string_view action) const
    {
        return find_script(scripts + "/schedule_" + std::string{action});
    }
    /// The keys, and the word for the time on Redis' clock. They refer to this.
    script_arguments arguments(bool pushes) const;
};

} // namespace coworker::detail
