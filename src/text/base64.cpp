// SPDX-License-Identifier: MIT
#include "text/base64.hpp"

#include <array>
#include <cstdint>

namespace coworker::detail {
namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint32_t no_digit = 0x8000'0000; ///< stays visible in a sum of shifted values

constexpr auto base64_values = [] {
    std::array<std::uint32_t, 256> values{};
    values.fill(no_digit);
    for (std::size_t i = 0; i != base64_digits.size(); ++i)
        values[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::uint32_t>(i);
    return values;
}();

std::uint32_t byte_at(std::string_view bytes, std::size_t at)
{
    return static_cast<unsigned char>(bytes[at]);
}

std::uint32_t value_at(std::string_view text, std::size_t at)
{
    return base64_values[static_cast<unsigned char>(text[at])];
}

} // namespace

std::string base64_encode(std::string_view bytes)
{
    std::string text((bytes.size() + 2) / 3 * 4, '=');
    std::size_t i = 0, to = 0;
    for (; i + 3 <= bytes.size(); i += 3, to += 4) {
        const auto group = byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
        text[to] = base64_digits[group >> 18];
        text[to + 1] = base64_digits[group >> 12 & 63];
        text[to + 2] = base64_digits[group >> 6 & 63];
        text[to + 3] = base64_digits[group & 63];
    }
    if (const auto rest = bytes.size() - i; rest != 0) {
        const auto group = byte_at(bytes, i) << 16 | (rest == 2 ? byte_at(bytes, i + 1) << 8 : 0);
        text[to] = base64_digits[group >> 18];
        text[to + 1] = base64_digits[group >> 12 & 63];
        if (rest == 2)
            text[to + 2] = base64_digits[group >> 6 & 63];
    }
    return text;
}

std::optional<std::string> base64_decode(std::string_view text)
{
    if (text.size() % 4 != 0)
        return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    const auto whole = text.size() - (padding == 0 ? 0 : 4);
    std::string bytes(text.size() / 4 * 3 - padding, '\0');
    std::uint32_t seen = 0;
    std::size_t to = 0;
    for (std::size_t i = 0; i != whole; i += 4, to += 3) {
        const auto a = value_at(text, i), b = value_at(text, i + 1), c = value_at(text, i + 2),
                   d = value_at(text, i + 3);
        seen |= a | b | c | d;
        const auto group = a << 18 | b << 12 | c << 6 | d;
        bytes[to] = static_cast<char>(group >> 16);
        bytes[to + 1] = static_cast<char>(group >> 8);
        bytes[to + 2] = static_cast<char>(group);
    }
    if (padding != 0) {
        const auto a = value_at(text, whole), b = value_at(text, whole + 1),
                   c = padding == 1 ? value_at(text, whole + 2) : 0;
        seen |= a | b | c;
        const auto group = a << 18 | b << 12 | c << 6;
        if ((group & (padding == 1 ? 0xFFu : 0xFFFFu)) != 0)
            return std::nullopt;
        bytes[to] = static_cast<char>(group >> 16);
        if (padding == 1)
            bytes[to + 1] = static_cast<char>(group >> 8);
    }
    if ((seen & no_digit) != 0)
        return std::nullopt;
    return bytes;
}

} // namespace coworker::detail
