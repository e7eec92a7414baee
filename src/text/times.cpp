#include "text/times.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace coworker::detail {
namespace {

constexpr bool is_digit(char letter) noexcept
{
    return letter >= '0' && letter <= '9';
}

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
        const auto found = rest_.substr(0, count);
        if (found.size() < count || !std::all_of(found.begin(), found.end(), is_digit))
            return std::nullopt;
        rest_.remove_prefix(count);
        int value = 0;
        for (const char digit : found)
            value = value * 10 + (digit - '0');
        return value;
    }
    /// Digits behind a dot, as microseconds.
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

struct time_unit
{
    std::string_view name;
    double length; ///< ms
};

constexpr std::array<time_unit, 5> units = {
    {{"d", 86400e3}, {"h", 3600e3}, {"m", 60e3}, {"s", 1e3}, {"ms", 1}}};
constexpr double longest_duration = 36'500 * units[0].length;

} // namespace

std::optional<timestamp> parse_rfc3339(std::string_view given)
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

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text)
{
    if (text.empty())
        return std::nullopt;
    double total = 0;
    auto next_unit = units.begin();
    while (!text.empty()) {
        double number = 0;
        const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (ec != std::errc{} || !is_digit(text.front()))
            return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        const auto name_end = std::find_if(text.begin(), text.end(), is_digit);
        const auto name = text.substr(0, static_cast<std::size_t>(name_end - text.begin()));
        const auto unit =
            std::find_if(next_unit, units.end(), [&](const time_unit& each) { return each.name == name; });
        if (unit == units.end())
            return std::nullopt;
        total += number * unit->length;
        next_unit = unit + 1;
        text.remove_prefix(name.size());
    }
    if (!(total <= longest_duration))
        return std::nullopt;
    return std::chrono::milliseconds{static_cast<std::int64_t>(std::ceil(total))};
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

} // namespace coworker::detail
