// SPDX-License-Identifier: MIT
#include "text/time_reader.hpp"

#include <algorithm>

namespace coworker::detail {
bool time_reader::skip(char letter) noexcept
{
    if (rest_.empty() || rest_.front() != letter)
        return false;
    rest_.remove_prefix(1);
    return true;
}

std::optional<int> time_reader::number(std::size_t digits)
{
    const auto found = rest_.substr(0, digits);
    if (found.size() < digits || !std::all_of(found.begin(), found.end(), is_digit))
        return std::nullopt;
    rest_.remove_prefix(digits);
    int value = 0;
    for (const char digit : found)
        value = value * 10 + (digit - '0');
    return value;
}

std::string_view time_reader::digits() noexcept
{
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_digit);
    const auto found = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(found.size());
    return found;
}

std::optional<std::chrono::sys_days> time_reader::day()
{
    const auto year = number(4);
    if (!year || !skip('-'))
        return std::nullopt;
    const auto month = number(2);
    if (!month || !skip('-'))
        return std::nullopt;
    const auto day = number(2);
    if (!day)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year{*year},
                                           std::chrono::month{static_cast<unsigned>(*month)},
                                           std::chrono::day{static_cast<unsigned>(*day)}};
    if (!date.ok())
        return std::nullopt;
    return std::chrono::sys_days{date};
}

std::optional<std::chrono::minutes> time_reader::minutes()
{
    const auto hour = number(2);
    if (!hour || *hour > 23 || !skip(':'))
        return std::nullopt;
    const auto minute = number(2);
    if (!minute || *minute > 59)
        return std::nullopt;
    return std::chrono::hours{*hour} + std::chrono::minutes{*minute};
}

std::optional<std::chrono::seconds> time_reader::seconds()
{
    const auto second = number(2);
    if (!second || *second > 60)
        return std::nullopt;
    return std::chrono::seconds{*second};
}

std::chrono::microseconds microseconds_of(std::string_view fraction)
{
    std::chrono::microseconds value{0};
    int scale = 100'000;
    for (const char digit : fraction.substr(0, 6)) {
        value += std::chrono::microseconds{(digit - '0') * scale};
        scale /= 10;
    }
    return value;
}

} // namespace coworker::detail
