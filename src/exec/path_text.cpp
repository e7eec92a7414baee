#include "exec/path_text.hpp"

#include <charconv>

namespace coworker::cli {

std::string encode_path(std::string_view path)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string text;
    text.reserve(path.size());
    for (const char c : path) {
        if (c > ' ' && c < '\x7f' && c != '%' && c != '?' && c != '@') {
            text += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        text += '%';
        text += digits[byte / 16];
        text += digits[byte % 16];
    }
    return text;
}

std::string decode_path(std::string_view text)
{
    std::string path;
    path.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned char byte = 0;
        const char* digits = text.data() + i + 1;
        if (text[i] == '%' && i + 2 < text.size() &&
            std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
            path += static_cast<char>(byte);
            i += 2;
        } else {
            path += text[i];
        }
    }
    return path;
}

} // namespace coworker::cli
