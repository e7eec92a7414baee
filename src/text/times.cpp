// SPDX-License-Identifier: MIT
#include "text/times.hpp"

#include "text/numbers.hpp"
#include "text/time_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace coworker::detail {
namespace {

/// How far the clock is ahead of UTC: "Z" or "+01:00".
std::optional<std::chrono::minutes> read_offset(time_reader& text)
{
    if (text.skip('Z') || text.skip('z'))
        return std::chrono::minutes{0};
    const bool ahead = text.skip('+');
    if (!ahead && !text.skip('-'))
        return std::nullopt;
    const auto offset = text.minutes();
    if (!offset)
        return std::nullopt;
    return ahead ? *offset : -*offset;
}

struct time_unit
{
    std::string_view name;
    std::int64_t length; ///< ms
};

constexpr std::array<time_unit, 5> units = {
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};
constexpr auto longest_duration = static_cast<double>(36'500 * units[0].length);

/// What a calendar and a clock show in UTC.
struct clock_parts
{
    explicit clock_parts(timestamp when)
    {
        const auto midnight = std::chrono::floor<std::chrono::days>(when);
        const std::chrono::year_month_day date{midnight};
        const std::chrono::hh_mm_ss time{when - midnight};
        year = static_cast<int>(date.year());
        month = static_cast<unsigned>(date.month());
        day = static_cast<unsigned>(date.day());
        weekday = std::chrono::weekday{midnight}.c_encoding();
        hours = static_cast<int>(time.hours().count());
        minutes = static_cast<int>(time.minutes().count());
        seconds = static_cast<int>(time.seconds().count());
        microseconds = static_cast<int>(time.subseconds().count());
    }

    int year;
    unsigned month, day, weekday;
    int hours, minutes, seconds, microseconds;
};

} // namespace

std::optional<timestamp> parse_rfc3339(std::string_view given)
{
    time_reader text{given};
    const auto day = text.day();
    if (!day || !(text.skip('T') || text.skip('t') || text.skip(' ')))
        return std::nullopt;
    const auto minutes = text.minutes();
    if (!minutes || !text.skip(':'))
        return std::nullopt;
    const auto seconds = text.seconds();
    if (!seconds)
        return std::nullopt;
    std::string_view fraction = "0";
    if (text.skip('.'))
        fraction = text.digits();
    const auto offset = read_offset(text);
    if (fraction.empty() || !offset || !text.at_end())
        return std::nullopt;
    return timestamp{*day} + *minutes + *seconds + microseconds_of(fraction) - *offset;
}

std::optional<timestamp> parse_day(std::string_view given)
{
    time_reader text{given};
    const auto day = text.day();
    if (!day || !text.at_end())
        return std::nullopt;
    return timestamp{*day};
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text)
{
    if (text.empty())
        return std::nullopt;
    double total = 0;
    auto next_unit = units.begin();
    while (!text.empty()) {
        if (!is_digit(text.front()))
            return std::nullopt;
        const auto number = take_number(text);
        if (!number)
            return std::nullopt;
        const auto name_end = std::find_if(text.begin(), text.end(), is_digit);
        const auto name = text.substr(0, static_cast<std::size_t>(name_end - text.begin()));
        const auto unit =
            std::find_if(next_unit, units.end(), [&](const time_unit& each) { return each.name == name; });
        if (unit == units.end())
            return std::nullopt;
        total += *number * static_cast<double>(unit->length);
        next_unit = unit + 1;
        text.remove_prefix(name.size());
    }
    if (!(total <= longest_duration))
        return std::nullopt;
    return std::chrono::milliseconds{static_cast<std::int64_t>(std::ceil(total))};
}

std::string format_rfc3339(timestamp when, std::size_t digits)
{
    const clock_parts parts{when};
    char text[64];
    const int size =
        std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06d", parts.year, parts.month,
                      parts.day, parts.hours, parts.minutes, parts.seconds, parts.microseconds);
    std::string result{text, static_cast<std::size_t>(size)};
    result.resize(result.size() - (digits == 0 ? 7 : 6 - std::min<std::size_t>(digits, 6)));
    return result + 'Z';
}

std::string format_rfc3339_short(timestamp when)
{
    const bool is_whole =
        std::chrono::floor<std::chrono::milliseconds>(when) == std::chrono::floor<std::chrono::seconds>(when);
    return format_rfc3339(when, is_whole ? 0 : 3);
}

std::string format_http_date(timestamp when)
{
    // Not strftime, which speaks the language of the program's locale.
    constexpr const char* weekdays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const clock_parts parts{when};
    char text[64];
    const int size = std::snprintf(text, sizeof text, "%s, %02u %s %04d %02d:%02d:%02d GMT",
                                   weekdays[parts.weekday], parts.day, months[parts.month - 1], parts.year,
                                   parts.hours, parts.minutes, parts.seconds);
    return {text, static_cast<std::size_t>(size)};
}

std::string format_age(std::chrono::milliseconds age)
{
    auto left = std::max<std::int64_t>(age.count(), 0);
    for (std::size_t i = 0; i + 2 < units.size(); ++i)
        if (left >= units[i].length) {
            const auto part = left / units[i].length;
            const auto rest = left % units[i].length / units[i + 1].length;
            std::string text = std::to_string(part) + std::string{units[i].name};
            if (rest != 0)
                text += ' ' + std::to_string(rest) + std::string{units[i + 1].name};
            return text;
        }
    return std::to_string(left / 1000) + "s";
}

std::string format_span(std::chrono::duration<double> span)
{
    const auto seconds = span.count();
    if (seconds >= 60)
        return format_age(std::chrono::round<std::chrono::milliseconds>(span));
    char text[32];
    if (seconds >= 1)
        std::snprintf(text, sizeof text, "%.3gs", seconds);
    else
        std::snprintf(text, sizeof text, "%.3gms", seconds * 1000);
    return text;
}

} // namespace coworker::detail
