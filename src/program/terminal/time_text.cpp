#include "program/terminal/time_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace coworker::cli {
namespace {

using std::chrono::milliseconds;

struct time_unit
{
    std::string_view name;
    std::int64_t length; ///< ms
};

constexpr std::array<time_unit, 5> units = {
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};
} // namespace

std::string format_time(timestamp when)
{
    const auto day = std::chrono::floor<std::chrono::days>(when);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss time{std::chrono::floor<milliseconds>(when - day)};
    char text[48];
    std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()));
    std::string result{text};
    if (const auto rest = static_cast<int>(time.subseconds().count()); rest != 0) {
        std::snprintf(text, sizeof text, ".%03d", rest);
        result += text;
    }
    return result + "Z";
}

std::string format_age(milliseconds age)
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
        return format_age(std::chrono::round<milliseconds>(span));
    char text[32];
    if (seconds >= 1)
        std::snprintf(text, sizeof text, "%.3gs", seconds);
    else
        std::snprintf(text, sizeof text, "%.3gms", seconds * 1000);
    return text;
}

} // namespace coworker::cli
