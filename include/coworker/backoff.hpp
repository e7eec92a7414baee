// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/option_duration.hpp"

#include <chrono>

namespace coworker {

/// The default back-off: `initial` after the first attempt, multiplied by `factor` after each further one, `maximum` at
/// most. A random part of it is left out, so that jobs that failed together do not return together.
struct exponential_backoff
{
    /// The wait after the first attempt.
    option_duration initial{1'000};
    /// By how much the wait grows with each attempt.
    double factor = 2;
    /// The longest wait.
    option_duration maximum{600'000};
    /// The largest part of the wait that is left out at random, from 0 (none) to 1 (all of it).
    double jitter = 0.5;

    /// The wait after this attempt; 1 is the first.
    std::chrono::milliseconds operator()(unsigned attempt) const;
};

} // namespace coworker
