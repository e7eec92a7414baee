// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace coworker::test {

/// Of the simulated time, unless said otherwise.
using nanoseconds = std::int64_t;
inline constexpr nanoseconds microsecond = 1'000, millisecond = 1'000 * microsecond,
                             second = 1'000 * millisecond, minute = 60 * second, hour = 60 * minute,
                             day = 24 * hour, never = INT64_MAX;

} // namespace coworker::test
