#pragma once

#include "text/times.hpp"

/// Times as requests and answers have them, beside those of `text/times.hpp`.
namespace coworker::detail {

/// As HTTP has it: "Sat, 21 Nov 2026 09:54:29 GMT".
std::string format_http_date(timestamp when);

/// Longer delays are refused.
inline constexpr std::chrono::hours longest_delay{24 * 366 * 10};

/// Reads what `parse_duration` reads; a number at the end that has no unit means seconds. Nothing for anything else, or
/// beyond `longest_delay`.
std::optional<std::chrono::milliseconds> parse_delay(std::string_view text);

} // namespace coworker::detail
