#include "http/times.hpp"

#include "list/timestamp.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace coworker::detail {
namespace {

/// Whether the text has the form, in which 0 stands for a digit.
bool has_form(std::string_view text, std::string_view form) noexcept
{
    if (text.size() < form.size())
        return false;
    for (std::size_t i = 0; i != form.size(); ++i)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return true;
}

/// Milliseconds in a unit; 0 for none that is known.
double unit_length(std::string_view unit) noexcept
{
    if (unit == "ms")
        return 1;
    if (unit == "s" || unit.empty())
        return 1e3;
    if (unit == "m")
        return 60e3;
    if (unit == "h")
        return 3600e3;
    return unit == "d" ? 86400e3 : 0;
}

} // namespace

std::optional<timestamp> parse_rfc3339(std::string_view text)
{
    // The queue's own reader takes more than RFC 3339 permits, so the form is checked here.
    std::string upper;
    for (const char c : text)
        upper += c == 't' ? 'T' : c == 'z' ? 'Z' : c;
    std::string_view rest = upper;
    if (!has_form(rest, "0000-00-00T00:00:00"))
        return std::nullopt;
    rest.remove_prefix(19);
    if (has_form(rest, ".0"))
        rest.remove_prefix(std::min(rest.find_first_not_of("0123456789", 1), rest.size()));
    const bool has_offset = rest.size() == 6 && (has_form(rest, "+00:00") || has_form(rest, "-00:00"));
    if (rest != "Z" && !(has_offset && rest.substr(1, 2) < "24" && rest.substr(4) < "60"))
        return std::nullopt;
    if (const auto time = parse_start_time('"' + upper + '"'); time && upper.substr(14, 2) < "60")
        return time->started;
    return std::nullopt;
}

std::optional<timestamp> parse_day(std::string_view text)
{
    if (text.size() != 10)
        return std::nullopt;
    return parse_rfc3339(std::string{text} + "T00:00:00Z");
}

std::string format_rfc3339(timestamp when)
{
    using namespace std::chrono;
    const auto day = floor<days>(when);
    const year_month_day date{day};
    const hh_mm_ss time{when - day};
    char text[64];
    const int size =
        std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", static_cast<int>(date.year()),
                      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                      static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                      static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
    return {text, static_cast<std::size_t>(size)};
}

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
    double number = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (ec != std::errc{} || text.empty() || text.front() < '0' || text.front() > '9')
        return std::nullopt;
    const double length = unit_length({end, static_cast<std::size_t>(text.data() + text.size() - end)});
    const double milliseconds = std::ceil(number * length);
    if (length == 0 ||
        !(milliseconds <= static_cast<double>(std::chrono::milliseconds{longest_delay}.count())))
        return std::nullopt;
    return std::chrono::milliseconds{static_cast<std::int64_t>(milliseconds)};
}

} // namespace coworker::detail
