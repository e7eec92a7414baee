// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>

namespace coworker::detail {

/// A span of time that can be added to the time of any clock: longer ones, such as `milliseconds::max()`, count as a
/// century, which nobody can tell from for ever.
constexpr std::chrono::milliseconds bounded(std::chrono::milliseconds span) noexcept
{
    constexpr std::chrono::milliseconds century = std::chrono::hours{24 * 36'525};
    return std::clamp(span, -century, century);
}

} // namespace coworker::detail
