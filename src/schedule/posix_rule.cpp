// SPDX-License-Identifier: MIT
#include "schedule/posix_rule.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace coworker::detail {

using namespace std::chrono_literals;

/// Reads the parts of a rule from the front of its text. What does not stand there makes `fails` true.
class rule_reader
{
public:
    explicit rule_reader(std::string_view text) : rest_{text} {}

    std::optional<posix_rule> read()
    {
        posix_rule rule;
        skip_name();
        rule.standard_ = -read_time();
        if (!rest_.empty()) {
            skip_name();
            rule.has_summer_ = true;
            rule.summer_ = rest_.starts_with(',') ? rule.standard_ + 1h : -read_time();
            expect(',');
            rule.summer_begins_ = read_yearly();
            expect(',');
            rule.summer_ends_ = read_yearly();
        }
        if (fails_ || !rest_.empty())
            return std::nullopt;
        return rule;
    }

private:
    bool skip(char letter)
    {
        if (!rest_.starts_with(letter))
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    void expect(char letter)
    {
        if (!skip(letter))
            fails_ = true;
    }

    /// An abbreviation: letters, or anything in angle brackets.
    void skip_name()
    {
        if (skip('<')) {
            rest_.remove_prefix(std::min(rest_.find('>'), rest_.size()));
            expect('>');
            return;
        }
        const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
        const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_letter);
        fails_ = fails_ || end == rest_.begin();
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.begin()));
    }

    int read_number(int most)
    {
        int value = 0;
        bool any = false;
        for (; !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9' && value <= most;
             rest_.remove_prefix(1)) {
            value = value * 10 + (rest_[0] - '0');
            any = true;
        }
        fails_ = fails_ || !any || value > most;
        return value;
    }

    /// "-2:30": hours, and what follows, with a sign for all.
    std::chrono::seconds read_time()
    {
        const bool negative = skip('-');
        if (!negative)
            skip('+');
        std::chrono::seconds time = std::chrono::hours{read_number(167)};
        if (skip(':'))
            time += std::chrono::minutes{read_number(59)};
        if (skip(':'))
            time += std::chrono::seconds{read_number(59)};
        return negative ? -time : time;
    }

    posix_rule::yearly read_yearly()
    {
        using kind = posix_rule::yearly::kind;
        posix_rule::yearly result;
        const auto number = [this](int most) { return static_cast<unsigned>(read_number(most)); };
        if (skip('M')) {
            result.month = number(12);
            expect('.');
            result.week = number(5);
            expect('.');
            result.day = number(6);
            fails_ = fails_ || result.month == 0 || result.week == 0;
        } else if (skip('J')) {
            result.what = kind::without_leap_day;
            result.day = number(365);
            fails_ = fails_ || result.day == 0;
        } else {
            result.what = kind::day_of_year;
            result.day = number(365);
        }
        result.time = skip('/') ? read_time() : std::chrono::seconds{2h};
        return result;
    }

    std::string_view rest_;
    bool fails_ = false;
};

std::optional<posix_rule> posix_rule::parse(std::string_view text)
{
    return rule_reader{text}.read();
}

std::chrono::sys_seconds posix_rule::yearly::in(std::chrono::year year) const
{
    using namespace std::chrono;
    const sys_days first = year / January / 1;
    switch (what) {
    case kind::without_leap_day:
        return first + days{day - 1 + (year.is_leap() && day >= 60 ? 1 : 0)} + time;
    case kind::day_of_year:
        return first + days{day} + time;
    case kind::weekday:
        break;
    }
    const auto begin = year / std::chrono::month{month};
    const std::chrono::weekday wanted{day};
    const sys_days found = week == 5 ? sys_days{begin / wanted[last]} : sys_days{begin / wanted[week]};
    return found + time;
}

zone_period posix_rule::at(std::chrono::sys_seconds when) const
{
    if (!has_summer_)
        return {beginning_of_time, end_of_time, standard_};
    using namespace std::chrono;
    struct change
    {
        sys_seconds when;
        seconds offset;
        std::size_t place;
    };
    const auto year = year_month_day{floor<days>(when)}.year();
    std::array<change, 10> changes;
    std::size_t count = 0;
    for (int i = -2; i <= 2; ++i) {
        changes[count] = {summer_begins_.in(year + years{i}) - standard_, summer_, count};
        ++count;
        changes[count] = {summer_ends_.in(year + years{i}) - summer_, standard_, count};
        ++count;
    }
    // where it is summer for ever, each ends when the next begins: this order stays then
    std::sort(changes.begin(), changes.end(),
              [](auto& a, auto& b) { return std::tie(a.when, a.place) < std::tie(b.when, b.place); });
    const auto next = std::upper_bound(changes.begin(), changes.end(), when,
                                       [](auto time, auto& each) { return time < each.when; });
    return {std::prev(next)->when, next->when, std::prev(next)->offset};
}

} // namespace coworker::detail
