// SPDX-License-Identifier: MIT
#include "schedule/cron_days.hpp"
#include "schedule/cron_field.hpp"
#include "text/plain_text.hpp"

namespace coworker::detail {
namespace {

using std::chrono::year_month_day;

constexpr std::array<std::string_view, 7> weekday_names = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
constexpr cron_field day_of_month{
    "day of month", 1, 31, 31, {}, "; L for the last day, L-3, 15W for the weekday nearest to the 15th, LW"};
constexpr cron_field day_of_week{"day of week",
                                 0,
                                 7,
                                 7,
                                 weekday_names,
                                 "; mon#2 for the second Monday of the month, friL for the last Friday"};

/// `?`, which other schedulers ask for where the other field says the day.
std::string_view or_all(std::string_view text)
{
    return text == "?" ? "*" : text;
}

bool ends_with(std::string_view text, char large)
{
    return !text.empty() && is_same_word(text.substr(text.size() - 1), {&large, 1});
}

unsigned last_day(const year_month_day& date)
{
    return static_cast<unsigned>((date.year() / date.month() / std::chrono::last).day());
}

unsigned weekday_of(const year_month_day& date)
{
    return std::chrono::weekday{std::chrono::sys_days{date}}.c_encoding();
}

/// The day from Monday to Friday that is nearest to a day, within its month.
unsigned nearest_working_day(const year_month_day& date)
{
    const auto day = static_cast<unsigned>(date.day());
    switch (weekday_of(date)) {
    case 6:
        return day == 1 ? 3 : day - 1;
    case 0:
        return day == last_day(date) ? day - 2 : day + 1;
    default:
        return day;
    }
}

} // namespace

cron_days cron_days::parse(std::string_view days, std::string_view weekdays)
{
    cron_days result;
    for_each_part(or_all(days), [&](std::string_view part) { result.read_day(part); });
    for_each_part(or_all(weekdays), [&](std::string_view part) { result.read_weekday(part); });
    result.any_day_ = or_all(days).starts_with('*');
    result.any_weekday_ = or_all(weekdays).starts_with('*');
    return result;
}

void cron_days::read_day(std::string_view text)
{
    if (is_same_word(text, "LW"))
        nearest_ |= 1;
    else if (is_same_word(text, "L"))
        before_last_ |= 1;
    else if (text.size() > 2 && is_same_word(text.substr(0, 2), "L-")) {
        const auto before = day_of_month.read_number(text.substr(2));
        if (before > 30)
            day_of_month.refuse(in_quotes(text) + " is out of range");
        before_last_ |= std::uint64_t{1} << before;
    } else if (ends_with(text, 'W'))
        nearest_ |= std::uint64_t{1} << day_of_month.read_value(text.substr(0, text.size() - 1));
    else
        days_ |= day_of_month.read_part(text);
}

void cron_days::read_weekday(std::string_view text)
{
    const auto hash = text.find('#');
    const bool is_last = ends_with(text, 'L');
    if (hash == text.npos && !is_last) {
        weekdays_ |= day_of_week.read_part(text);
        return;
    }
    const auto day = day_of_week.read_value(text.substr(0, is_last ? text.size() - 1 : hash)) % 7;
    const auto week = is_last ? 0 : day_of_week.read_number(text.substr(hash + 1));
    if (!is_last && (week < 1 || week > 5))
        day_of_week.refuse("a month has no week " + std::to_string(week) + " of " + in_quotes(text));
    in_week_[week] |= std::uint64_t{1} << day;
}

bool cron_days::fits_day(const year_month_day& date) const
{
    const auto day = static_cast<unsigned>(date.day()), last = last_day(date);
    if (has_value(days_, day) || has_value(before_last_, last - day))
        return true;
    if (nearest_ == 0)
        return false;
    for (unsigned wanted = 0; wanted <= last; ++wanted)
        if (has_value(nearest_, wanted) &&
            nearest_working_day(date.year() / date.month() / static_cast<int>(wanted == 0 ? last : wanted)) ==
                day)
            return true;
    return false;
}

bool cron_days::fits_weekday(const year_month_day& date) const
{
    const auto day = static_cast<unsigned>(date.day()), weekday = weekday_of(date);
    return has_value(weekdays_, weekday) || has_value(in_week_[(day + 6) / 7], weekday) ||
           (has_value(in_week_[0], weekday) && day + 7 > last_day(date));
}

bool cron_days::names(const year_month_day& date) const
{
    return any_day_ || any_weekday_ ? fits_day(date) && fits_weekday(date)
                                    : fits_day(date) || fits_weekday(date);
}

} // namespace coworker::detail
