// SPDX-License-Identifier: MIT
#include "text/json_spans.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace coworker::detail {
namespace {

namespace json = boost::json;
using boost::system::error_code;

constexpr std::string_view blanks = " \t\r\n";

/// Lets the parser check a text, and builds nothing.
struct checking_handler
{
    static constexpr std::size_t max_object_size = std::size_t(-1);
    static constexpr std::size_t max_array_size = std::size_t(-1);
    static constexpr std::size_t max_key_size = std::size_t(-1);
    static constexpr std::size_t max_string_size = std::size_t(-1);

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_array_begin(error_code&) { return true; }
    bool on_array_end(std::size_t, error_code&) { return true; }
    bool on_object_begin(error_code&) { return true; }
    bool on_object_end(std::size_t, error_code&) { return true; }
    bool on_string_part(std::string_view, std::size_t, error_code&) { return true; }
    bool on_string(std::string_view, std::size_t, error_code&) { return true; }
    bool on_key_part(std::string_view, std::size_t, error_code&) { return true; }
    bool on_key(std::string_view, std::size_t, error_code&) { return true; }
    bool on_number_part(std::string_view, error_code&) { return true; }
    bool on_int64(std::int64_t, std::string_view, error_code&) { return true; }
    bool on_uint64(std::uint64_t, std::string_view, error_code&) { return true; }
    bool on_double(double, std::string_view, error_code&) { return true; }
    bool on_bool(bool, error_code&) { return true; }
    bool on_null(error_code&) { return true; }
    bool on_comment_part(std::string_view, error_code&) { return true; }
    bool on_comment(std::string_view, error_code&) { return true; }
};

/// Whether it is ASCII without control characters; eight at a time.
bool is_printable(std::string_view text) noexcept
{
    constexpr std::uint64_t each = 0x0101010101010101, top = 0x80 * each;
    std::uint64_t bad = 0, next = 0;
    for (; text.size() >= sizeof next; text.remove_prefix(sizeof next)) {
        std::memcpy(&next, text.data(), sizeof next);
        bad |= (next | (next - 0x20 * each)) & top;
    }
    return bad == 0 && std::all_of(text.begin(), text.end(), [](char c) {
               const auto byte = static_cast<unsigned char>(c);
               return byte >= 0x20 && byte < 0x80;
           });
}

/// Where the text goes on behind the string that begins at `at`; its end if the string has none.
std::size_t end_of_string(std::string_view text, std::size_t at) noexcept
{
    for (;;) {
        at = text.find('"', at + 1);
        if (at == text.npos)
            return text.size();
        if (text[at - 1] != '\\' ||
            (at - 1 - text.find_last_not_of('\\', at - 1)) % 2 == 0) // else it is escaped
            return at + 1;
    }
}

} // namespace

void json_reader::skip_blanks() noexcept
{
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
}

bool json_reader::accept(char c) noexcept
{
    skip_blanks();
    if (rest_.empty() || rest_.front() != c)
        return false;
    rest_.remove_prefix(1);
    return true;
}

std::optional<std::string_view> json_reader::value()
{
    skip_blanks();
    json::parse_options options;
    options.max_depth = max_json_depth;
    json::basic_parser<checking_handler> parser{options};
    error_code ec;
    // It stops behind the first value, whatever follows.
    const auto size = parser.write_some(false, rest_.data(), rest_.size(), ec);
    if (ec)
        return std::nullopt;
    const auto found = trimmed(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return found;
}

std::optional<std::string_view> json_reader::plain_string() noexcept
{
    skip_blanks();
    if (rest_.empty() || rest_.front() != '"')
        return std::nullopt;
    const auto end = rest_.find('"', 1);
    if (end == rest_.npos)
        return std::nullopt;
    const auto found = rest_.substr(1, end - 1);
    if (!is_printable(found) || found.find('\\') != found.npos)
        return std::nullopt;
    rest_.remove_prefix(found.size() + 2);
    return found;
}

std::optional<std::string_view> json_reader::skim() noexcept
{
    skip_blanks();
    std::size_t at = 0, depth = 0;
    while (at < rest_.size()) {
        const char c = rest_[at];
        if (c == '"') {
            at = end_of_string(rest_, at);
            continue;
        }
        if (c == '[' || c == '{')
            ++depth;
        else if (depth == 0 && (c == ',' || c == ']' || c == '}'))
            break;
        else if (c == ']' || c == '}')
            --depth;
        ++at;
    }
    const auto found = trimmed(rest_.substr(0, at));
    if (depth != 0 || found.empty())
        return std::nullopt;
    rest_.remove_prefix(at);
    return found;
}

bool json_reader::at_end() noexcept
{
    skip_blanks();
    return rest_.empty();
}

bool is_json(std::string_view text)
{
    json_reader reader{text};
    return reader.value() && reader.at_end();
}

bool is_json_false(std::string_view json) noexcept
{
    return trimmed(json) == "false";
}

std::string_view trimmed(std::string_view json) noexcept
{
    json.remove_prefix(std::min(json.find_first_not_of(blanks), json.size()));
    return json.substr(0, json.find_last_not_of(blanks) + 1);
}

std::string string_of(std::string_view json)
{
    if (json.find('\\') == json.npos)
        return std::string{json.substr(1, json.size() - 2)};
    const auto parsed = boost::json::parse(json);
    return std::string{parsed.as_string()};
}

namespace {

std::optional<std::string> name_in(json_reader& rest)
{
    if (const auto plain = rest.plain_string())
        return std::string{*plain};
    const auto name = rest.value();
    if (!name || name->front() != '"')
        return std::nullopt;
    return string_of(*name);
}

} // namespace

std::vector<json_member> members_of(std::string_view json)
{
    std::vector<json_member> members;
    json_reader rest{json};
    if (!rest.accept('{') || rest.accept('}'))
        return members;
    do {
        auto name = name_in(rest);
        if (!name || !rest.accept(':'))
            return {};
        const auto value = rest.value();
        if (!value)
            return {};
        members.push_back({std::move(*name), *value});
    } while (rest.accept(','));
    if (!rest.accept('}'))
        members.clear();
    return members;
}

std::vector<std::string_view> elements_of(std::string_view json)
{
    std::vector<std::string_view> elements;
    json_reader rest{json};
    if (!rest.accept('[') || rest.accept(']'))
        return elements;
    do {
        const auto element = rest.value();
        if (!element)
            return {};
        elements.push_back(*element);
    } while (rest.accept(','));
    if (!rest.accept(']'))
        elements.clear();
    return elements;
}

} // namespace coworker::detail
