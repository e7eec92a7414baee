// SPDX-License-Identifier: MIT
#include "simulation/scenes/calendar.hpp"

#include <chrono>
#include <cstdlib>
#include <ctime>

namespace coworker::test {

std::array<nanoseconds, 3> switches_of_month(std::uint64_t seed)
{
    if (seed % 2 != 0) // New York and Berlin forward, Sydney back
        return {1'899'356'400 * second, 1'901'149'200 * second, 1'901'721'600 * second};
    return {1'917'446'400 * second, 1'919'293'200 * second, 1'919'916'000 * second};
}

std::string day_in(const std::string& zone, nanoseconds since_1970)
{
    ::setenv("TZ", zone.c_str(), 1);
    ::tzset();
    const auto seconds = static_cast<std::time_t>(since_1970 / second);
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    return std::to_string(parts.tm_year + 1900) + '-' + std::to_string(parts.tm_mon + 1) + '-' +
           std::to_string(parts.tm_mday);
}

timestamp timestamp_of(nanoseconds since_1970)
{
    return timestamp{std::chrono::duration_cast<timestamp::duration>(std::chrono::nanoseconds{since_1970})};
}

} // namespace coworker::test
