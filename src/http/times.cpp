#include "http/times.hpp"

#include <cstdio>

namespace coworker::detail {

std::string format_http_date(timestamp when)
{
    using namespace std::chrono;
    // Not strftime, which speaks the language of the program's locale.
    constexpr const char* weekdays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto day = floor<days>(when);
    const year_month_day date{day};
    const hh_mm_ss time{floor<seconds>(when - day)};
    char text[64];
    const int size = std::snprintf(
        text, sizeof text, "%s, %02u %s %04d %02d:%02d:%02d GMT", weekdays[weekday{day}.c_encoding()],
        static_cast<unsigned>(date.day()), months[static_cast<unsigned>(date.month()) - 1],
        static_cast<int>(date.year()), static_cast<int>(time.hours().count()),
        static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()));
    return {text, static_cast<std::size_t>(size)};
}

std::optional<std::chrono::milliseconds> parse_delay(std::string_view text)
{
    std::string with_unit{text};
    if (!text.empty() && text.back() >= '0' && text.back() <= '9')
        with_unit += 's';
    const auto delay = parse_duration(with_unit);
    return delay && *delay <= longest_delay ? delay : std::nullopt;
}

} // namespace coworker::detail
