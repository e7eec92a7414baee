#include "coworker/time_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>

namespace coworker::cli {
namespace {

using std::chrono::milliseconds;

constexpr bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

struct time_unit
{
    std::string_view name;
    std::int64_t length; ///< ms
};

constexpr std::array<time_unit, 5> units = {
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};
constexpr std::int64_t longest = 36'500 * units[0].length; // a century

/// Reads from the front of a text.
class text_reader
{
public:
    explicit text_reader(std::string_view text) : rest_{text} {}

    bool at_end() const { return rest_.empty(); }
    bool skip(char letter)
    {
        if (rest_.empty() || rest_.front() != letter)
            return false;
        rest_.remove_prefix(1);
        return true;
    }
    /// Exactly so many digits.
    std::optional<int> digits(std::size_t count)
    {
        if (rest_.size() < count ||
            !std::all_of(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(count), is_digit))
            return std::nullopt;
        int value = 0;
        for (; count != 0; --count, rest_.remove_prefix(1))
            value = value * 10 + (rest_.front() - '0');
        return value;
    }
    /// Digits behind a dot, as microseconds; what lies below is cut off.
    std::optional<int> fraction()
    {
        int value = 0, scale = 100'000;
        if (rest_.empty() || !is_digit(rest_.front()))
            return std::nullopt;
        for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1), scale /= 10)
            value += (rest_.front() - '0') * scale;
        return value;
    }

private:
    std::string_view rest_;
};

std::optional<std::chrono::sys_days> read_day(text_reader& text)
{
    const auto year = text.digits(4);
    if (!year || !text.skip('-'))
        return std::nullopt;
    const auto month = text.digits(2);
    if (!month || !text.skip('-'))
        return std::nullopt;
    const auto day = text.digits(2);
    if (!day)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year{*year},
                                           std::chrono::month{static_cast<unsigned>(*month)},
                                           std::chrono::day{static_cast<unsigned>(*day)}};
    if (!date.ok())
        return std::nullopt;
    return std::chrono::sys_days{date};
}

/// Hours and minutes, "09:30".
std::optional<std::chrono::minutes> read_minutes(text_reader& text)
{
    const auto hour = text.digits(2);
    if (!hour || *hour > 23 || !text.skip(':'))
        return std::nullopt;
    const auto minute = text.digits(2);
    if (!minute || *minute > 59)
        return std::nullopt;
    return std::chrono::hours{*hour} + std::chrono::minutes{*minute};
}

/// How far the clock is ahead of UTC: "Z" or "+01:00".
std::optional<std::chrono::minutes> read_offset(text_reader& text)
{
    if (text.skip('Z') || text.skip('z'))
        return std::chrono::minutes{0};
    const bool ahead = text.skip('+');
    if (!ahead && !text.skip('-'))
        return std::nullopt;
    const auto offset = read_minutes(text);
    if (!offset)
        return std::nullopt;
    return ahead ? *offset : -*offset;
}

} // namespace

std::optional<milliseconds> parse_duration(std::string_view text)
{
    if (text.empty())
        return std::nullopt;
    std::int64_t total = 0;
    std::size_t next_unit = 0;
    while (!text.empty()) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || !is_digit(text.front()))
            return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        const auto name = text.substr(0, std::find_if(text.begin(), text.end(), is_digit) - text.begin());
        const auto unit = std::find_if(units.begin() + static_cast<std::ptrdiff_t>(next_unit), units.end(),
                                       [&](const time_unit& each) { return each.name == name; });
        if (unit == units.end() || number > longest / unit->length)
            return std::nullopt;
        total += number * unit->length;
        next_unit = static_cast<std::size_t>(unit - units.begin()) + 1;
        text.remove_prefix(name.size());
    }
    if (total > longest)
        return std::nullopt;
    return milliseconds{total};
}

std::optional<timestamp> parse_time(std::string_view given)
{
    text_reader text{given};
    const auto day = read_day(text);
    if (!day || !(text.skip('T') || text.skip('t') || text.skip(' ')))
        return std::nullopt;
    const auto minutes = read_minutes(text);
    if (!minutes || !text.skip(':'))
        return std::nullopt;
    const auto second = text.digits(2);
    if (!second || *second > 60) // a leap second counts as the first of the next minute
        return std::nullopt;
    std::optional<int> micros = 0;
    if (text.skip('.'))
        micros = text.fraction();
    const auto offset = read_offset(text);
    if (!micros || !offset || !text.at_end())
        return std::nullopt;
    return timestamp{*day} + *minutes + std::chrono::seconds{*second} + std::chrono::microseconds{*micros} -
           *offset;
}

std::optional<timestamp> parse_day(std::string_view given)
{
    text_reader text{given};
    const auto day = read_day(text);
    if (!day || !text.at_end())
        return std::nullopt;
    return timestamp{*day};
}

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
