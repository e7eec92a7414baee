// SPDX-License-Identifier: MIT
#include "text/bounded_time.hpp"

#include <algorithm>
#include <cmath>

namespace coworker::detail {
namespace {

constexpr std::int64_t farthest = 9'000'000'000'000; // in seconds: of what a count of microseconds holds
constexpr std::int64_t century = 36525ll * 24 * 3600 * 1000; // in milliseconds

std::int64_t rounded(double number, double unit, std::int64_t most) noexcept
{
    const auto limit = static_cast<double>(most);
    return std::isnan(number) ? 0 : std::llround(std::clamp(number * unit, -limit, limit));
}

} // namespace

timestamp bounded_time(double seconds) noexcept
{
    return timestamp{std::chrono::microseconds{rounded(seconds, 1e6, farthest * 1'000'000)}};
}

timestamp bounded_time(std::int64_t seconds, std::int64_t microseconds) noexcept
{
    const auto whole = std::clamp(seconds, -farthest, farthest);
    const auto part = std::clamp<std::int64_t>(microseconds, -1'000'000, 1'000'000);
    return timestamp{std::chrono::microseconds{whole * 1'000'000 + part}};
}

std::chrono::milliseconds bounded_milliseconds(std::int64_t since_1970) noexcept
{
    return std::chrono::milliseconds{std::clamp(since_1970, -farthest * 1000, farthest * 1000)};
}

std::chrono::milliseconds bounded_span(std::int64_t milliseconds) noexcept
{
    return std::chrono::milliseconds{std::clamp(milliseconds, -century, century)};
}

std::chrono::milliseconds bounded_span_of_seconds(double seconds) noexcept
{
    return std::chrono::milliseconds{rounded(seconds, 1000, century)};
}

} // namespace coworker::detail
