// SPDX-License-Identifier: MIT
#pragma once

#include <coworker/managed_statistics.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace coworker::program {

/// A part of a histogram that is wide enough to be drawn.
struct histogram_bar
{
    std::string label; ///< such as "5s - 10s"
    std::uint64_t count = 0;
};

/// The 148 bins put together: finer where times are short. Parts before the first and behind the last that
/// anything fell into are left out. What took a week or longer is the last part.
std::vector<histogram_bar> bars_of(const managed_distribution& times);

/// `count` of at most `largest` as a bar of `width` characters; at least one for what is not zero.
std::string drawn(std::uint64_t count, std::uint64_t largest, std::size_t width);

} // namespace coworker::program
