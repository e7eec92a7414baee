// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Numbers as Redis, JSON and people write them, whatever the program's locale.
namespace coworker::detail {

/// Reads the number that a text begins with, and cuts it off. No blank, no plus sign in front. "inf" and "nan" are numbers.
std::optional<double> take_number(std::string_view& text);

/// Reads a text that is one number, and nothing else.
template<class Number>
std::optional<Number> to_number(std::string_view text)
{
    if constexpr (std::floating_point<Number>) {
        const auto number = take_number(text);
        return text.empty() && number ? std::optional<Number>{*number} : std::nullopt;
    } else {
        Number number{};
        const auto* const last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, number);
        return error == std::errc{} && end == last ? std::optional{number} : std::nullopt;
    }
}

/// A number of thousandths as a decimal number: 1234 is "1.234".
std::string format_thousandths(std::int64_t number);

} // namespace coworker::detail
