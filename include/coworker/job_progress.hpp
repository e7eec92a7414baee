// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/timestamp.hpp"

#include <string>

namespace coworker {

/// How far a job is, as its handler has told with `job_context::set_progress`.
struct job_progress
{
    double fraction = 0;   ///< of the work, from 0 to 1
    std::string message{}; ///< for people, such as "page 12 of 30"; may be empty
    timestamp told_at{};   ///< when it was stored, by Redis' clock, in whole seconds
};

} // namespace coworker
