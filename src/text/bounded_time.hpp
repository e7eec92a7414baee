// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/timestamp.hpp"

#include <chrono>
#include <cstdint>

/// Times that others have written, who may have written any number: brought into a range in which one can go on computing.
namespace coworker::detail {

/// Seconds since 1970, to the microsecond. 1970 for what is no number.
timestamp bounded_time(double seconds) noexcept;
timestamp bounded_time(std::int64_t seconds, std::int64_t microseconds = 0) noexcept;

/// Milliseconds since 1970, as far as a timestamp goes.
std::chrono::milliseconds bounded_milliseconds(std::int64_t since_1970) noexcept;

/// A century at most, either way. Zero for what is no number.
std::chrono::milliseconds bounded_span(std::int64_t milliseconds) noexcept;
std::chrono::milliseconds bounded_span_of_seconds(double seconds) noexcept;

} // namespace coworker::detail
