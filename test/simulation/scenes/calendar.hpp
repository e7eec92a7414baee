// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/world.hpp"

#include <coworker/timestamp.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace coworker::test {

/// Zones with daylight saving, whose switches lie within a month of each other.
inline constexpr std::array<const char*, 3> zones{"Europe/Berlin", "Australia/Sydney", "America/New_York"};

inline constexpr nanoseconds length_of_month = 31 * day;

/// When they are: in March and April for odd seeds, forward in the north and back in the south; in October and November for even
/// ones.
std::array<nanoseconds, 3> switches_of_month(std::uint64_t seed);

/// The date of a time in a zone.
std::string day_in(const std::string& zone, nanoseconds since_1970);

timestamp timestamp_of(nanoseconds since_1970);

} // namespace coworker::test
