// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

namespace coworker::detail {

/// How much more is taken from a part of a queue, where `waiting` jobs wait, than from one where few do. The more wait
/// there, the more are taken, so that the parts of a queue end at about the same time. The smallest is not kept waiting
/// for long: it is served an eighth as much as the largest, and the number may be old.
///
/// @param largest  how many jobs wait in the part that has most
inline double part_weight(std::size_t waiting, std::size_t largest)
{
    constexpr double most = 8;
    return std::max(1.0, most * static_cast<double>(waiting) /
                             static_cast<double>(std::max<std::size_t>(largest, 1)));
}

} // namespace coworker::detail
