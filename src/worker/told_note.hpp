// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_progress.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace coworker::detail {

/// As many lines of a job are stored: those before them are dropped.
inline constexpr std::size_t most_log_lines = 100;

struct logged_line
{
    std::chrono::steady_clock::time_point at{};
    std::string text{};
};

/// What the handler has told and is not stored.
struct told_note
{
    std::optional<job_progress> progress{}; ///< only the latest counts
    std::vector<logged_line> log{};

    void add(logged_line line)
    {
        if (log.size() == most_log_lines)
            log.erase(log.begin());
        log.push_back(std::move(line));
    }
};

} // namespace coworker::detail
