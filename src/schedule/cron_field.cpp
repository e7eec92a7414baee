// SPDX-License-Identifier: MIT
#include "schedule/cron_field.hpp"
#include "text/plain_text.hpp"

#include "coworker/error.hpp"

#include <algorithm>
#include <charconv>

namespace coworker::detail {

bool is_same_word(std::string_view a, std::string_view b)
{
    const auto lower = [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return lower(x) == lower(y); });
}

void cron_field::refuse(const std::string& why) const
{
    std::string allowed = std::to_string(first) + " to " + std::to_string(last);
    if (!names.empty())
        allowed += ", or " + std::string{names.front()} + " to " + std::string{names.back()};
    throw explained_error{errc::invalid_option,
                          "cron, " + std::string{name} + ": " + why + "; allowed are *, " + allowed +
                              ", ranges (1-5), lists (1,3) and steps (*/2, 5/15, 1-9/2)" + std::string{more}};
}

unsigned cron_field::read_number(std::string_view text) const
{
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        refuse(in_quotes(text) + " is no value");
    return value;
}

unsigned cron_field::read_value(std::string_view text) const
{
    for (std::size_t i = 0; i != names.size(); ++i)
        if (is_same_word(text, names[i]))
            return first + static_cast<unsigned>(i);
    const auto value = read_number(text);
    if (value < first || value > last)
        refuse(in_quotes(text) + " is out of range");
    return value;
}

std::uint64_t cron_field::read_part(std::string_view text) const
{
    const auto slash = text.find('/');
    const auto range = text.substr(0, slash);
    unsigned low = first, high = first + count - 1, step = 1;
    if (range != "*") {
        const auto dash = range.find('-');
        low = read_value(range.substr(0, dash));
        if (dash != range.npos)
            high = read_value(range.substr(dash + 1));
        else if (slash == text.npos)
            high = low;
        if (high < low) // on behind the last value: 22-2
            high += count;
    }
    if (slash != text.npos)
        step = read_number(text.substr(slash + 1));
    if (step == 0 || step > last)
        refuse("the step of " + in_quotes(text) + " is out of range");
    std::uint64_t values = 0;
    for (unsigned value = low; value <= high; value += step)
        values |= std::uint64_t{1} << (first + (value - first) % count);
    return values;
}

std::uint64_t cron_field::read(std::string_view text) const
{
    std::uint64_t values = 0;
    for_each_part(text, [&](std::string_view part) { values |= read_part(part); });
    return values;
}

} // namespace coworker::detail
