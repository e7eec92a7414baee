#include "list/payload.hpp"

#include "coworker/codec.hpp"
#include "limits.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>

namespace coworker::detail {
namespace {

namespace json = boost::json;

/// Remembers where the elements of the outermost array begin and end; builds nothing else.
struct parts_handler
{
    static constexpr std::size_t max_object_size = std::size_t(-1);
    static constexpr std::size_t max_array_size = std::size_t(-1);
    static constexpr std::size_t max_key_size = std::size_t(-1);
    static constexpr std::size_t max_string_size = std::size_t(-1);

    std::string id;
    std::size_t depth = 0;
    bool id_is_string = false;
    bool is_array = false;
    std::size_t elements = 0;

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_array_begin(error_code&)
    {
        if (depth == 0)
            is_array = true;
        ++depth;
        return true;
    }
    bool on_array_end(std::size_t count, error_code&)
    {
        if (--depth == 0)
            elements = count;
        return true;
    }
    bool on_object_begin(error_code&) { return ++depth; }
    bool on_object_end(std::size_t, error_code&) { return --depth, true; }
    bool on_string_part(std::string_view part, std::size_t, error_code&)
    {
        if (depth == 1 && !id_is_string)
            id += part;
        return true;
    }
    bool on_string(std::string_view part, std::size_t, error_code&)
    {
        if (depth == 1 && !id_is_string) {
            id += part;
            id_is_string = true;
        }
        return true;
    }
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

constexpr std::string_view blanks = " \t\r\n";

/// The text behind `["id",`, and before the closing bracket, of an array known to be well formed.
std::string_view second_element(std::string_view array)
{
    std::size_t at = array.find('"') + 1;
    while (array[at] != '"')
        at += array[at] == '\\' ? 2 : 1;
    at = array.find_first_not_of(blanks, array.find(',', at) + 1);
    const std::size_t end = array.find_last_not_of(blanks, array.rfind(']') - 1) + 1;
    return array.substr(at, end - at);
}

} // namespace

result<payload_parts> split_payload(std::string_view payload)
{
    json::parse_options options;
    options.max_depth = max_json_depth + 1;
    json::basic_parser<parts_handler> parser{options};
    error_code ec;
    const std::size_t used = parser.write_some(false, payload.data(), payload.size(), ec);
    parts_handler& seen = parser.handler();
    if (ec || !seen.is_array || !seen.id_is_string || seen.elements != 2)
        return errc::not_decodable;
    const std::string_view array = payload.substr(0, used);
    const std::size_t first = array.find_first_not_of(blanks, array.find('[') + 1);
    if (array[first] != '"') // the string found was the second element
        return errc::not_decodable;
    payload_parts parts{std::move(seen.id), {}, second_element(array)};
    const auto verbatim = array.substr(first + 1, parts.id.size());
    if (verbatim == parts.id && array[first + 1 + parts.id.size()] == '"')
        parts.plain_id = verbatim;
    return parts;
}

std::string make_payload(std::string_view id, std::string_view job)
{
    std::string payload;
    payload.reserve(id.size() + job.size() + 5);
    payload += '[';
    const bool plain = std::none_of(id.begin(), id.end(), [](char c) {
        return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
    });
    if (plain) {
        payload += '"';
        payload += id;
        payload += '"';
    } else {
        payload += json::serialize(json::string_view{id});
    }
    payload += ',';
    payload += job;
    payload += ']';
    return payload;
}

bool is_valid_id(std::string_view id)
{
    return !id.empty() && id.size() <= 256 && encode_value(json::value(id)).has_value();
}

} // namespace coworker::detail
