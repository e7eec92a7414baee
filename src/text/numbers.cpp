// SPDX-License-Identifier: MIT
#include "text/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>
#include <string>
#include <version>

namespace coworker::detail {
namespace {

#ifdef __cpp_lib_to_chars

std::size_t read_number(std::string_view text, double& number) noexcept
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} ? static_cast<std::size_t>(end - text.data()) : 0;
}

#else // libc++ reads whole numbers only, up to version 19

/// How long the number is that a text begins with; zero: it begins with none.
std::size_t size_of_number(std::string_view text) noexcept
{
    std::size_t at = text.starts_with('-') ? 1 : 0, digits = 0;
    const auto skip_digits = [&] {
        const auto end = std::min(text.find_first_not_of("0123456789", at), text.size());
        digits += end - at;
        at = end;
    };
    skip_digits();
    if (text.substr(at).starts_with('.')) {
        ++at;
        skip_digits();
    }
    if (digits == 0)
        return 0;
    const auto size = at;
    if (at == text.size() || (text[at] != 'e' && text[at] != 'E'))
        return size;
    ++at;
    if (at != text.size() && (text[at] == '-' || text[at] == '+'))
        ++at;
    digits = 0;
    skip_digits();
    return digits == 0 ? size : at;
}

std::size_t read_number(std::string_view text, double& number)
{
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    for (const auto word : {"inf", "nan"})
        if (text.substr(sign).starts_with(word)) {
            number = word[0] == 'i' ? HUGE_VAL : NAN;
            number = sign != 0 ? -number : number;
            return sign + 3;
        }
    const auto size = size_of_number(text);
    std::istringstream digits{std::string{text.substr(0, size)}};
    digits.imbue(std::locale::classic());
    return digits >> number ? size : 0;
}

#endif

} // namespace

std::optional<double> take_number(std::string_view& text)
{
    double number = 0;
    const auto size = read_number(text, number);
    if (size == 0)
        return std::nullopt;
    text.remove_prefix(size);
    return number;
}

std::string format_thousandths(std::int64_t number)
{
    const auto digits = std::to_string(number < 0 ? -number : number);
    std::string text{number < 0 ? "-" : ""};
    const std::string padded = digits.size() < 4 ? std::string(4 - digits.size(), '0') + digits : digits;
    return text.append(padded, 0, padded.size() - 3).append(1, '.').append(padded, padded.size() - 3);
}

} // namespace coworker::detail
