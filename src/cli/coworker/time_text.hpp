#pragma once

#include <coworker/job.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

/// Times and durations as they are read and shown.
namespace coworker::cli {

/// Reads "250ms", "5m", "1h30m", "2d": numbers with a unit each, of ms, s, m, h, d, largest unit first. Nothing
/// for anything else.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// Reads RFC 3339, such as "2026-11-21T09:30:00Z" or "2026-11-21T10:30:00.5+01:00".
std::optional<timestamp> parse_time(std::string_view text);

/// Reads a day, such as "2026-11-21" (UTC).
std::optional<timestamp> parse_day(std::string_view text);

/// RFC 3339 in UTC, to the millisecond unless it is a whole second.
std::string format_time(timestamp when);

/// For people: "3s", "5m 20s", "2h 5m", "3d 4h". Never negative.
std::string format_age(std::chrono::milliseconds age);

/// For people, with three digits: "1.25s", "310ms", "2m 5s".
std::string format_span(std::chrono::duration<double> span);

} // namespace coworker::cli
