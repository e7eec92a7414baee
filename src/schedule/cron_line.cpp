// SPDX-License-Identifier: MIT
#include "schedule/cron_line.hpp"
#include "schedule/cron_field.hpp"
#include "text/plain_text.hpp"

#include "coworker/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

namespace coworker::detail {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, 12> month_names = {"jan", "feb", "mar", "apr", "may", "jun",
                                                          "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr cron_field seconds_field{"second", 0, 60, 59};
constexpr cron_field minutes_field{"minute", 0, 60, 59};
constexpr cron_field hours_field{"hour", 0, 24, 23};
constexpr cron_field months_field{"month", 1, 12, 12, month_names};

struct nickname
{
    std::string_view name, line;
};
constexpr std::array nicknames = {
    nickname{"@yearly", "0 0 1 1 *"}, nickname{"@annually", "0 0 1 1 *"}, nickname{"@monthly", "0 0 1 * *"},
    nickname{"@weekly", "0 0 * * 0"}, nickname{"@daily", "0 0 * * *"},    nickname{"@midnight", "0 0 * * *"},
    nickname{"@hourly", "0 * * * *"},
};

[[noreturn]] void refuse_line(const std::string& why)
{
    throw explained_error{errc::invalid_option, "cron: " + why};
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

} // namespace

cron_line cron_line::parse(std::string_view text)
{
    auto words = split(text);
    if (words.size() == 1 && words[0].starts_with('@'))
        words = split(replace_nickname(words[0]));
    if (words.size() != 5 && words.size() != 6)
        refuse_line(in_quotes(text) + " has " + std::to_string(words.size()) +
                    " fields; a line has five: minute, hour, day of month, month, day of week; or six, with "
                    "the second in "
                    "front");
    cron_line line;
    if (words.size() == 6) {
        line.seconds_ = seconds_field.read(words.front());
        words.erase(words.begin());
    }
    line.minutes_ = minutes_field.read(words[0]);
    line.hours_ = hours_field.read(words[1]);
    line.months_ = months_field.read(words[3]);
    line.days_ = cron_days::parse(words[2], words[4]);
    line.any_minute_ = words[0].starts_with('*');
    line.any_hour_ = words[1].starts_with('*');
    return line;
}

/// The first time of a day, from `from` on.
std::optional<std::chrono::seconds> cron_line::find_in_day(std::chrono::seconds from) const
{
    const std::chrono::hh_mm_ss begin{from};
    const auto first_hour = static_cast<unsigned>(begin.hours().count());
    const auto first_minute = static_cast<unsigned>(begin.minutes().count());
    for (auto hour = next_value(hours_, first_hour); hour; hour = next_value(hours_, *hour + 1)) {
        const bool is_first_hour = *hour == first_hour;
        auto minute = next_value(minutes_, is_first_hour ? first_minute : 0);
        for (; minute; minute = next_value(minutes_, *minute + 1)) {
            const bool is_begin = is_first_hour && *minute == first_minute;
            if (const auto second =
                    next_value(seconds_, is_begin ? static_cast<unsigned>(begin.seconds().count()) : 0))
                return std::chrono::hours{*hour} + std::chrono::minutes{*minute} +
                       std::chrono::seconds{*second};
        }
    }
    return std::nullopt;
}

std::optional<wall_time> cron_line::find(wall_time from, wall_time end) const
{
    using namespace std::chrono;
    auto day = floor<days>(from);
    auto time = from - day;
    while (day < end) {
        const year_month_day date{day};
        if (!has_value(months_, static_cast<unsigned>(date.month()))) {
            day = local_days{(date.year() / date.month() + months{1}) / 1};
            time = 0s;
            continue;
        }
        if (days_.names(date))
            if (const auto found = find_in_day(time)) {
                const wall_time when = day + *found;
                return when < end ? std::optional{when} : std::nullopt;
            }
        day += days{1};
        time = 0s;
    }
    return std::nullopt;
}

} // namespace coworker::detail
