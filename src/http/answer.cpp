#include "http/answer.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

namespace coworker::detail {
namespace {

/// How many bytes a character at the front of the text has; 0 if it is not UTF-8.
std::size_t character_size(std::string_view text) noexcept
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
        return i < text.size() && byte(i) >= low && byte(i) <= high;
    };
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

} // namespace

std::string_view reason_phrase(unsigned status) noexcept
{
    switch (status) {
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 207:
        return "Multi-Status";
    case 304:
        return "Not Modified";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 411:
        return "Length Required";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 415:
        return "Unsupported Media Type";
    case 417:
        return "Expectation Failed";
    case 422:
        return "Unprocessable Content";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 503:
        return "Service Unavailable";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "Error";
    }
}

std::string quoted(std::string_view text)
{
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        if (const auto size = character_size(text)) {
            clean += text.substr(0, size);
            text.remove_prefix(size);
        } else {
            clean += "\xef\xbf\xbd";
            text.remove_prefix(1);
        }
    }
    return boost::json::serialize(boost::json::string_view{clean});
}

answer problem(unsigned status, std::string_view detail)
{
    answer result{.status = status, .content_type = "application/problem+json"};
    result.body = R"({"type":"about:blank","title":)" + quoted(reason_phrase(status)) +
                  ",\"status\":" + std::to_string(status) + ",\"detail\":" + quoted(detail) + "}\n";
    return result;
}

} // namespace coworker::detail
