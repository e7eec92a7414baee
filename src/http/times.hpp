#pragma once

#include "coworker/job.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

/// Times as people and programs write them in requests.
namespace coworker::detail {

/// Reads RFC 3339, such as "2026-11-21T09:54:29.5+01:00". Nothing for anything else.
std::optional<timestamp> parse_rfc3339(std::string_view text);

/// Reads a day, "2026-11-21": when it begins, in UTC.
std::optional<timestamp> parse_day(std::string_view text);

/// In UTC, with six digits of fraction.
std::string format_rfc3339(timestamp when);

/// As HTTP has it: "Sat, 21 Nov 2026 09:54:29 GMT".
std::string format_http_date(timestamp when);

/// Longer delays are refused.
inline constexpr std::chrono::hours longest_delay{24 * 366 * 10};

/// Reads a number and a unit: 250ms, 90s, 5m, 2h, 1.5d. A number alone means seconds. Rounded up to
/// milliseconds. Nothing for anything else, below zero, or beyond `longest_delay`.
std::optional<std::chrono::milliseconds> parse_delay(std::string_view text);

} // namespace coworker::detail
