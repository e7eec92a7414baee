// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/timestamp.hpp"

#include <chrono>
#include <string>

namespace coworker {

/// A line that a handler has logged with `job_context::log`.
struct job_log_line
{
    timestamp at{};     ///< when, by Redis' clock
    std::string text{}; ///< UTF-8; may have several lines
};

/// A line that is not stored yet.
struct noted_line
{
    std::chrono::milliseconds age{0}; ///< how long ago it was logged
    std::string text{};               ///< UTF-8
};

} // namespace coworker
