// SPDX-License-Identifier: MIT
#pragma once

#include "text/times.hpp"

#include <string>

/// Times and durations as they are read and shown.
namespace coworker::program {

using detail::format_age;
using detail::format_span;
using detail::parse_day;
using detail::parse_duration;
using detail::parse_rfc3339;

/// RFC 3339 in UTC, to the millisecond unless it is a whole second.
inline std::string format_time(timestamp when)
{
    return detail::format_rfc3339_short(when);
}

} // namespace coworker::program
