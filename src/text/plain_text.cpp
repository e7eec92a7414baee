// SPDX-License-Identifier: MIT
#include "text/plain_text.hpp"

#include "text/utf8.hpp"

#include <algorithm>
#include <cstdint>

namespace coworker::detail {
namespace {

std::uint32_t code_point(std::string_view character)
{
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 1)
        return first;
    std::uint32_t code = first & (0x7Fu >> character.size());
    for (const char byte : character.substr(1))
        code = code << 6 | (static_cast<unsigned char>(byte) & 0x3Fu);
    return code;
}

/// Characters that a terminal obeys rather than shows, or that make text look like another.
bool is_treacherous(std::uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0x061C ||
           code == 0xFEFF || (code >= 0xE0000 && code <= 0xE007F);
}

std::string escape_of(std::uint32_t code)
{
    constexpr std::string_view digits = "0123456789abcdef";
    switch (code) {
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        break;
    }
    std::string text = code < 0x100 ? "\\x" : code < 0x10000 ? "\\u" : "\\U";
    for (int shift = code < 0x100 ? 4 : code < 0x10000 ? 12 : 28; shift >= 0; shift -= 4)
        text += digits[(code >> shift) & 0xF];
    return text;
}

/// Calls `take` for each character or stray byte, escaped where it has to be, until it returns false.
void for_each_shown(std::string_view text, auto take)
{
    while (!text.empty()) {
        const auto size = character_size(text);
        const auto code = size == 0 ? static_cast<unsigned char>(text[0]) : code_point(text.substr(0, size));
        const bool goes_on = size == 0 || is_treacherous(code) ? take(std::string_view{escape_of(code)})
                                                               : take(text.substr(0, size));
        if (!goes_on)
            return;
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
}

} // namespace

std::string escaped(std::string_view text)
{
    std::string result;
    for_each_shown(text, [&](std::string_view shown) {
        result += shown;
        return true;
    });
    return result;
}

std::string shortened(std::string_view text, std::size_t width)
{
    std::string result;
    std::size_t used = 0, fits = 0; // `fits`: bytes that leave room for the …
    for_each_shown(text, [&](std::string_view shown) {
        used += width_of(shown);
        if (used + 1 <= width)
            fits = result.size() + shown.size();
        result += shown;
        return used <= width;
    });
    if (used > width) {
        result.resize(fits);
        result += "…";
    }
    return result;
}

std::string in_quotes(std::string_view text, std::size_t width)
{
    return '\'' + shortened(text, width) + '\'';
}

std::size_t width_of(std::string_view utf8) noexcept
{
    std::size_t width = 0;
    for (const char byte : utf8)
        width += (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
    return width;
}

std::string hexadecimal(std::string_view bytes)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    result.reserve(2 * bytes.size());
    for (const char each : bytes) {
        const auto byte = static_cast<unsigned char>(each);
        result += digits[byte / 16];
        result += digits[byte % 16];
    }
    return result;
}

} // namespace coworker::detail
