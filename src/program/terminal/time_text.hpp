#pragma once

#include "text/times.hpp"

#include <chrono>
#include <string>
#include <string_view>

/// Times and durations as they are read and shown.
namespace coworker::cli {

using detail::parse_day;
using detail::parse_duration;
using detail::parse_rfc3339;

/// RFC 3339 in UTC, to the millisecond unless it is a whole second.
std::string format_time(timestamp when);

/// For people: "3s", "5m 20s", "2h 5m", "3d 4h". Never negative.
std::string format_age(std::chrono::milliseconds age);

/// For people, with three digits: "1.25s", "310ms", "2m 5s".
std::string format_span(std::chrono::duration<double> span);

} // namespace coworker::cli
