// SPDX-License-Identifier: MIT
#include "text/base64.hpp"

#include <array>
#include <cstdint>

namespace coworker::detail {
namespace {

constexpr std::uint32_t no_digit = 0x8000'0000; ///< stays visible in a sum of shifted values

/// The digits of one form of base64, and their values.
struct base64_alphabet
{
    constexpr explicit base64_alphabet(std::string_view all) : digits{all}
    {
        values.fill(no_digit);
        for (std::size_t i = 0; i != all.size(); ++i)
            values[static_cast<unsigned char>(all[i])] = static_cast<std::uint32_t>(i);
    }

    std::uint32_t value_at(std::string_view text, std::size_t at) const
    {
        return values[static_cast<unsigned char>(text[at])];
    }

    std::string_view digits;
    std::array<std::uint32_t, 256> values{};
};

constexpr base64_alphabet standard{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"};
constexpr base64_alphabet for_urls{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"};

std::uint32_t byte_at(std::string_view bytes, std::size_t at)
{
    return static_cast<unsigned char>(bytes[at]);
}

/// With padding.
std::string encode(const base64_alphabet& how, std::string_view bytes)
{
    const auto digits = how.digits;
    std::string text((bytes.size() + 2) / 3 * 4, '=');
    std::size_t i = 0, to = 0;
    for (; i + 3 <= bytes.size(); i += 3, to += 4) {
        const auto group = byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
        text[to] = digits[group >> 18];
        text[to + 1] = digits[group >> 12 & 63];
        text[to + 2] = digits[group >> 6 & 63];
        text[to + 3] = digits[group & 63];
    }
    if (const auto rest = bytes.size() - i; rest != 0) {
        const auto group = byte_at(bytes, i) << 16 | (rest == 2 ? byte_at(bytes, i + 1) << 8 : 0);
        text[to] = digits[group >> 18];
        text[to + 1] = digits[group >> 12 & 63];
        if (rest == 2)
            text[to + 2] = digits[group >> 6 & 63];
    }
    return text;
}

/// How many characters at the end stand for no bytes.
std::size_t padding_of(std::string_view text)
{
    return text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
}

/// Without padding.
std::optional<std::string> decode(const base64_alphabet& how, std::string_view text)
{
    const auto rest = text.size() % 4; // digits of the last bytes: two for one, three for two
    if (rest == 1)
        return std::nullopt;
    const auto whole = text.size() - rest;
    std::string bytes(whole / 4 * 3 + (rest == 0 ? 0 : rest - 1), '\0');
    std::uint32_t seen = 0;
    std::size_t to = 0;
    for (std::size_t i = 0; i != whole; i += 4, to += 3) {
        const auto a = how.value_at(text, i), b = how.value_at(text, i + 1), c = how.value_at(text, i + 2),
                   d = how.value_at(text, i + 3);
        seen |= a | b | c | d;
        const auto group = a << 18 | b << 12 | c << 6 | d;
        bytes[to] = static_cast<char>(group >> 16);
        bytes[to + 1] = static_cast<char>(group >> 8);
        bytes[to + 2] = static_cast<char>(group);
    }
    if (rest != 0) {
        const auto a = how.value_at(text, whole), b = how.value_at(text, whole + 1),
                   c = rest == 3 ? how.value_at(text, whole + 2) : 0;
        seen |= a | b | c;
        const auto group = a << 18 | b << 12 | c << 6;
        if ((group & (rest == 3 ? 0xFFu : 0xFFFFu)) != 0) // bits that stand for nothing
            return std::nullopt;
        bytes[to] = static_cast<char>(group >> 16);
        if (rest == 3)
            bytes[to + 1] = static_cast<char>(group >> 8);
    }
    if ((seen & no_digit) != 0)
        return std::nullopt;
    return bytes;
}

} // namespace

std::string base64_encode(std::string_view bytes)
{
    return encode(standard, bytes);
}

std::optional<std::string> base64_decode(std::string_view text)
{
    if (text.size() % 4 != 0)
        return std::nullopt;
    text.remove_suffix(padding_of(text));
    return decode(standard, text);
}

std::string to_base64url(std::string_view bytes)
{
    auto text = encode(for_urls, bytes);
    text.resize(text.size() - padding_of(text));
    return text;
}

std::optional<std::string> from_base64url(std::string_view text)
{
    return decode(for_urls, text);
}

} // namespace coworker::detail
