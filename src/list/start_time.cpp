// SPDX-License-Identifier: MIT
#include "list/start_time.hpp"

#include "text/time_reader.hpp"
#include "text/times.hpp"

#include <charconv>
#include <cstdio>

namespace coworker::detail {
namespace {

/// `Z`, or an offset: +01:00, +0100.
std::optional<std::chrono::minutes> read_zone(time_reader& text)
{
    if (text.skip('Z'))
        return std::chrono::minutes{0};
    const bool ahead = text.skip('+');
    if (!ahead && !text.skip('-'))
        return std::nullopt;
    const auto hours = text.number(2);
    text.skip(':');
    const auto minutes = text.number(2);
    if (!hours || !minutes)
        return std::nullopt;
    const auto offset = std::chrono::hours{*hours} + std::chrono::minutes{*minutes};
    return ahead ? offset : -offset;
}

/// The fraction behind the microseconds is the worker's number.
std::uint32_t worker_of(std::string_view fraction)
{
    std::uint32_t worker = 0;
    if (fraction.size() == 12)
        std::from_chars(fraction.data() + 6, fraction.data() + 12, worker);
    return worker;
}

} // namespace

std::optional<start_time> parse_start_time(std::string_view stored)
{
    time_reader text{stored};
    if (!text.skip('"'))
        return std::nullopt;
    const auto day = text.day();
    if (!day || !(text.skip('T') || text.skip(' ')))
        return std::nullopt;
    const auto minutes = text.minutes();
    if (!minutes)
        return std::nullopt;
    std::optional<std::chrono::seconds> seconds{0};
    if (text.skip(':'))
        seconds = text.seconds();
    std::string_view fraction = "0";
    if (text.skip('.'))
        fraction = text.digits();
    const auto offset = read_zone(text);
    if (!seconds || fraction.empty() || !offset || !text.skip('"'))
        return std::nullopt;
    return start_time{timestamp{*day} + *minutes + *seconds + microseconds_of(fraction) - *offset,
                      worker_of(fraction)};
}

std::string format_start_time(timestamp when, std::uint32_t worker)
{
    char number[16];
    const int size = std::snprintf(number, sizeof number, "%06uZ\"", static_cast<unsigned>(worker));
    auto text = '"' + format_rfc3339(when);
    text.replace(text.size() - 1, 1, number, static_cast<std::size_t>(size)); // in front of the Z
    return text;
}

} // namespace coworker::detail
