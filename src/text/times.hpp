// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/timestamp.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

/// Times as people and programs write them.
namespace coworker::detail {

/// Reads RFC 3339, such as "2026-11-21T09:54:29.5+01:00"; a blank may stand for the T. What lies below a microsecond is
/// cut off. Nothing for anything else.
std::optional<timestamp> parse_rfc3339(std::string_view text);

/// Reads a day, "2026-11-21": when it begins, in UTC.
std::optional<timestamp> parse_day(std::string_view text);

/// Reads "250ms", "1.5d", "1h30m": numbers with a unit each, of ms, s, m, h, d, largest unit first. Rounded up to
/// milliseconds. Nothing for anything else, or beyond a century.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// In UTC, with so many digits of fraction, from 0 to 6; what lies below them is cut off.
std::string format_rfc3339(timestamp when, std::size_t digits = 6);

/// In UTC, to the millisecond unless it is a whole second.
std::string format_rfc3339_short(timestamp when);

/// As HTTP has it: "Sat, 21 Nov 2026 09:54:29 GMT".
std::string format_http_date(timestamp when);

/// For people: "3s", "5m 20s", "2h 5m", "3d 4h". Never negative.
std::string format_age(std::chrono::milliseconds age);

/// For people, with three digits: "1.25s", "310ms", "2m 5s".
std::string format_span(std::chrono::duration<double> span);

} // namespace coworker::detail
