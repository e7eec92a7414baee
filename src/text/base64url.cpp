// SPDX-License-Identifier: MIT
#include "text/base64url.hpp"

namespace coworker::detail {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

} // namespace

std::string to_base64url(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size() * 4 / 3 + 3);
    unsigned pending = 0, bits = 0;
    for (const char c : bytes) {
        pending = (pending << 8 | static_cast<unsigned char>(c)) & 0xffff;
        for (bits += 8; bits >= 6; bits -= 6)
            text += alphabet[pending >> (bits - 6) & 63];
    }
    if (bits != 0)
        text += alphabet[pending << (6 - bits) & 63];
    return text;
}

std::optional<std::string> from_base64url(std::string_view text)
{
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    unsigned pending = 0, bits = 0;
    for (const char c : text) {
        const auto value = alphabet.find(c);
        if (value == alphabet.npos)
            return std::nullopt;
        pending = (pending << 6 | static_cast<unsigned>(value)) & 0xffff;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes += static_cast<char>(pending >> bits & 0xff);
        }
    }
    // Bits left over are padding, which is zero and less than a character.
    if (bits >= 6 || (pending & ((1u << bits) - 1)) != 0)
        return std::nullopt;
    return bytes;
}

} // namespace coworker::detail
