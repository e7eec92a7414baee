// SPDX-License-Identifier: MIT
#include "text/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace coworker::detail {

std::size_t character_size(std::string_view text) noexcept
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
        return i < text.size() && byte(i) >= low && byte(i) <= high;
    };
    if (text.empty())
        return 0;
    // Forms that are longer than necessary, surrogates and what lies beyond U+10FFFF show in the second byte.
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return follows(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef)
        return follows(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
    if (first >= 0xf0 && first <= 0xf4)
        return follows(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && follows(2) &&
                       follows(3)
                   ? 4
                   : 0;
    return 0;
}

namespace {

/// How long the text is ASCII from its begin, in whole words of eight bytes: most texts are to their end.
std::size_t ascii_words(std::string_view text) noexcept
{
    std::size_t size = 0;
    for (std::uint64_t word = 0; size + sizeof(word) <= text.size(); size += sizeof(word)) {
        std::memcpy(&word, text.data() + size, sizeof(word));
        if ((word & 0x8080808080808080U) != 0)
            break;
    }
    return size;
}

} // namespace

bool is_utf8(std::string_view text) noexcept
{
    text.remove_prefix(ascii_words(text));
    while (!text.empty()) {
        const auto size = character_size(text);
        if (size == 0)
            return false;
        text.remove_prefix(size);
    }
    return true;
}

std::string make_utf8(std::string_view text)
{
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const auto size = character_size(text);
        clean += size == 0 ? std::string_view{"\xef\xbf\xbd"} : text.substr(0, size);
        text.remove_prefix(size == 0 ? 1 : size);
    }
    return clean;
}

} // namespace coworker::detail
