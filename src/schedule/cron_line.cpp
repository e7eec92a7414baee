// SPDX-License-Identifier: MIT
#include "schedule/cron_line.hpp"
#include "text/plain_text.hpp"

#include "coworker/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <span>
#include <string>
#include <vector>

namespace coworker::detail {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, 12> month_names = {"jan", "feb", "mar", "apr", "may", "jun",
                                                          "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> weekday_names = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

/// One of the five fields: its name, the values that it may hold, and their names, of which the first is `first`.
struct field
{
    std::string_view name;
    unsigned first, last;
    std::span<const std::string_view> names;
};

constexpr std::array fields = {field{"minute", 0, 59, {}},         //
                               field{"hour", 0, 23, {}},           //
                               field{"day of month", 1, 31, {}},   //
                               field{"month", 1, 12, month_names}, //
                               field{"day of week", 0, 7, weekday_names}};
constexpr auto& day_of_week = fields[4];

struct nickname
{
    std::string_view name, line;
};
constexpr std::array nicknames = {
    nickname{"@yearly", "0 0 1 1 *"}, nickname{"@annually", "0 0 1 1 *"}, nickname{"@monthly", "0 0 1 * *"},
    nickname{"@weekly", "0 0 * * 0"}, nickname{"@daily", "0 0 * * *"},    nickname{"@midnight", "0 0 * * *"},
    nickname{"@hourly", "0 * * * *"},
};

bool is_same_word(std::string_view a, std::string_view b)
{
    const auto lower = [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return lower(x) == lower(y); });
}

[[noreturn]] void refuse_line(const std::string& why)
{
    throw explained_error{errc::invalid_option, "cron: " + why};
}

[[noreturn]] void refuse_line(const field& where, const std::string& why)
{
    std::string allowed = std::to_string(where.first) + " to " + std::to_string(where.last);
    if (!where.names.empty())
        allowed += ", or " + std::string{where.names.front()} + " to " + std::string{where.names.back()};
    throw explained_error{errc::invalid_option, "cron, " + std::string{where.name} + ": " + why +
                                                    "; allowed are *, " + allowed +
                                                    ", ranges (1-5), lists (1,3) and steps (*/2, 1-9/2)"};
}

unsigned read_number(const field& where, std::string_view text)
{
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        refuse_line(where, in_quotes(text) + " is no value");
    return value;
}

unsigned read_value(const field& where, std::string_view text)
{
    for (std::size_t i = 0; i != where.names.size(); ++i)
        if (is_same_word(text, where.names[i]))
            return where.first + static_cast<unsigned>(i);
    const auto value = read_number(where, text);
    if (value < where.first || value > where.last)
        refuse_line(where, in_quotes(text) + " is out of range");
    return value;
}

/// One of the parts between commas: a value, or a range with or without a step.
std::uint64_t read_part(const field& where, std::string_view text)
{
    const auto slash = text.find('/');
    const auto range = text.substr(0, slash);
    unsigned low = where.first, high = where.last, step = 1;
    if (range != "*") {
        const auto dash = range.find('-');
        low = high = read_value(where, range.substr(0, dash));
        if (dash != range.npos)
            high = read_value(where, range.substr(dash + 1));
        else if (slash != text.npos)
            refuse_line(where, in_quotes(text) + " has a step without a range");
        if (&where == &day_of_week && high == 0 && low != 0)
            high = 7; // fri-sun
        if (low > high)
            refuse_line(where, "the range " + in_quotes(range) + " runs backwards");
    }
    if (slash != text.npos)
        step = read_number(where, text.substr(slash + 1));
    if (step == 0 || step > where.last)
        refuse_line(where, "the step of " + in_quotes(text) + " is out of range");
    std::uint64_t values = 0;
    for (unsigned value = low; value <= high; value += step)
        values |= std::uint64_t{1} << value;
    return values;
}

std::uint64_t read_field(const field& where, std::string_view text)
{
    std::uint64_t values = 0;
    for (;;) {
        const auto comma = text.find(',');
        values |= read_part(where, text.substr(0, comma));
        if (comma == text.npos)
            return values;
        text.remove_prefix(comma + 1);
    }
}

std::vector<std::string_view> split(std::string_view line)
{
    constexpr std::string_view blanks = " \t";
    std::vector<std::string_view> words;
    for (auto begin = line.find_first_not_of(blanks); begin != line.npos;) {
        const auto end = std::min(line.find_first_of(blanks, begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(blanks, end);
    }
    return words;
}

std::string_view replace_nickname(std::string_view word)
{
    for (const auto& each : nicknames)
        if (is_same_word(word, each.name))
            return each.line;
    refuse_line(in_quotes(word) +
                " is unknown; there are @hourly, @daily (@midnight), @weekly, @monthly and @yearly "
                "(@annually); for every so many seconds use an interval");
}

/// The lowest value of at least `from`.
std::optional<unsigned> next_value(std::uint64_t values, unsigned from)
{
    const auto rest = from < 64 ? values >> from << from : 0;
    if (rest == 0)
        return std::nullopt;
    return static_cast<unsigned>(std::countr_zero(rest));
}

bool has(std::uint64_t values, unsigned value)
{
    return (values >> value & 1) != 0;
}

} // namespace

cron_line cron_line::parse(std::string_view text)
{
    auto words = split(text);
    if (words.size() == 1 && words[0].starts_with('@'))
        words = split(replace_nickname(words[0]));
    if (words.size() != fields.size())
        refuse_line(in_quotes(text) + " has " + std::to_string(words.size()) +
                    " fields; a line has five: minute, hour, day of month, month, day of week");
    cron_line line;
    line.minutes_ = read_field(fields[0], words[0]);
    line.hours_ = read_field(fields[1], words[1]);
    line.days_ = read_field(fields[2], words[2]);
    line.months_ = read_field(fields[3], words[3]);
    line.weekdays_ = read_field(fields[4], words[4]);
    if (has(line.weekdays_, 7))
        line.weekdays_ |= 1;
    line.any_minute_ = words[0].starts_with('*');
    line.any_hour_ = words[1].starts_with('*');
    line.any_day_ = words[2].starts_with('*');
    line.any_weekday_ = words[4].starts_with('*');
    return line;
}

/// A day fits if either field names it; if one of them begins with `*`, it has to fit both.
bool cron_line::names_day(std::chrono::local_days day, const std::chrono::year_month_day& date) const
{
    const bool fits_day = has(days_, static_cast<unsigned>(date.day()));
    const bool fits_weekday = has(weekdays_, std::chrono::weekday{day}.c_encoding());
    return any_day_ || any_weekday_ ? fits_day && fits_weekday : fits_day || fits_weekday;
}

/// The first minute of a day, from `from` on.
std::optional<std::chrono::minutes> cron_line::find_in_day(std::chrono::minutes from) const
{
    const auto first_hour = static_cast<unsigned>(from / 1h);
    auto minute = next_value(minutes_, static_cast<unsigned>(from % 1h / 1min));
    const auto hour = next_value(hours_, minute ? first_hour : first_hour + 1);
    if (!hour)
        return std::nullopt;
    if (!minute || *hour != first_hour)
        minute = next_value(minutes_, 0);
    return std::chrono::hours{*hour} + std::chrono::minutes{*minute};
}

std::optional<wall_time> cron_line::find(wall_time from, wall_time end) const
{
    using namespace std::chrono;
    const auto first = ceil<minutes>(from);
    auto day = floor<days>(first);
    auto minute = first - day;
    while (day < end) {
        const year_month_day date{day};
        if (!has(months_, static_cast<unsigned>(date.month()))) {
            day = local_days{(date.year() / date.month() + months{1}) / 1};
            minute = 0min;
            continue;
        }
        if (names_day(day, date))
            if (const auto found = find_in_day(minute)) {
                const wall_time when = day + *found;
                return when < end ? std::optional{when} : std::nullopt;
            }
        day += days{1};
        minute = 0min;
    }
    return std::nullopt;
}

} // namespace coworker::detail
