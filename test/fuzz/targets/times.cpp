// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "text/times.hpp"
#include "json/members.hpp"

namespace coworker::fuzz {

using namespace detail;

/// Times and durations as people and programs write them.
FUZZ_TARGET(times)
{
    if (const auto time = parse_rfc3339(bytes)) {
        const auto year = std::chrono::year_month_day{std::chrono::floor<std::chrono::days>(*time)}.year();
        if (year >= std::chrono::year{0} && year <= std::chrono::year{9999})
            claim(parse_rfc3339(format_rfc3339(*time)) == time);
        claim(!format_rfc3339_short(*time).empty() && !format_http_date(*time).empty());
    }
    if (const auto day = parse_day(bytes))
        claim(format_rfc3339(*day, 0) == std::string{bytes} + "T00:00:00Z");
    if (const auto time = parse_duration(bytes))
        claim(time->count() >= 0 && !format_age(*time).empty() && !format_span(*time).empty());
    const auto delay = parse_delay(bytes);
    claim(!delay || (delay->count() >= 0 && *delay <= longest_delay));
}

} // namespace coworker::fuzz
