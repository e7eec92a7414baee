// SPDX-License-Identifier: MIT
#include "coworker/codec.hpp"

#include "bounds.hpp"
#include "text/json_spans.hpp"
#include "text/utf8.hpp"

#include <boost/json/parser.hpp>
#include <boost/json/serialize.hpp>

#include <cmath>

namespace coworker::detail {
namespace {

namespace json = boost::json;

bool has_json_form(const json::value& value, std::size_t depth = 1) noexcept
{
    switch (value.kind()) {
    case json::kind::double_:
        return std::isfinite(value.get_double());
    case json::kind::string:
        return is_utf8(value.get_string());
    case json::kind::array:
        if (depth > max_json_depth)
            return false;
        for (const auto& element : value.get_array())
            if (!has_json_form(element, depth + 1))
                return false;
        return true;
    case json::kind::object:
        if (depth > max_json_depth)
            return false;
        for (const auto& member : value.get_object())
            if (!is_utf8(member.key()) || !has_json_form(member.value(), depth + 1))
                return false;
        return true;
    default:
        return true;
    }
}

json::parse_options limits() noexcept
{
    json::parse_options options;
    options.max_depth = max_json_depth;
    return options;
}

} // namespace

result<std::string> encode_value(const json::value& value)
{
    if (!has_json_form(value))
        return errc::not_serializable;
    return json::serialize(value);
}

error_code json_error(std::string_view text)
{
    if (is_json(text)) // which builds nothing
        return {};
    const auto why = parsed_json{text}.error();
    return why ? why : make_error_code(errc::not_decodable);
}

std::string_view kind_of_value(const json::value& value) noexcept
{
    switch (value.kind()) {
    case json::kind::null:
        return "null";
    case json::kind::bool_:
        return "true or false";
    case json::kind::string:
        return "a text";
    case json::kind::array:
        return "a list";
    case json::kind::object:
        return "an object";
    default:
        return "a number";
    }
}

std::string tell_mismatch(std::string_view type, std::string_view place, std::string_view why)
{
    std::string told = "it is not a ";
    told.append(type).append(": ");
    if (!place.empty())
        told.append("'").append(place).append("': ");
    return told.append(why);
}

std::string place_of(std::string_view place, std::string_view member)
{
    std::string inner{place};
    if (!place.empty())
        inner += '.';
    return inner.append(member);
}

std::string place_of(std::string_view place, std::size_t element)
{
    return std::string{place} + '[' + std::to_string(element) + ']';
}

/// The value has the arena's storage from the beginning: one with another storage would take a copy.
parsed_json::parsed_json(std::string_view text) : value_(arena_.storage())
{
    unsigned char scratch[1024];
    json::parser parser{json::storage_ptr{}, limits(), scratch};
    parser.reset(arena_.storage());
    parser.write(text.data(), text.size(), error_);
    if (!error_)
        value_ = parser.release();
}

} // namespace coworker::detail
