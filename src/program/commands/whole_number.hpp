// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace coworker::program {

/// What the value of an option is that is a whole number from 0 to a billion; empty if it is anything else.
inline std::optional<std::uint64_t> whole_number(double value)
{
    constexpr double most = 1e9;
    if (!(value >= 0 && value <= most) || value != std::floor(value))
        return std::nullopt;
    return static_cast<std::uint64_t>(value);
}

} // namespace coworker::program
