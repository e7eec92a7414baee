// SPDX-License-Identifier: MIT
#include "text/json_object.hpp"

#include "text/json_spans.hpp"
#include "text/plain_text.hpp"
#include "text/times.hpp"
#include "text/utf8.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/string_view.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>

namespace coworker::detail {
namespace {

/// JSON text on one line and without what a terminal obeys. Blanks outside of strings become spaces; inside of strings,
/// valid JSON has no characters below 0x20.
std::string harmless(std::string_view json)
{
    std::string result;
    result.reserve(json.size());
    for (std::size_t i = 0; i != json.size(); ++i) {
        const auto byte = static_cast<unsigned char>(json[i]);
        if (byte == 0x7F)
            result += "\\u007f";
        else if (byte == 0xC2 && i + 1 != json.size() && static_cast<unsigned char>(json[i + 1]) < 0xA0)
            result += "\\u00" + hexadecimal(json.substr(++i, 1));
        else
            result += byte < 0x20 ? ' ' : json[i];
    }
    return result;
}

} // namespace

std::string json_string(std::string_view text)
{
    const auto clean = make_utf8(text);
    return boost::json::serialize(boost::json::string_view{clean});
}

std::string json_object::quoted(std::string_view text) const
{
    return reader_ == json_for::terminals ? harmless(json_string(text)) : json_string(text);
}

json_object& json_object::member(std::string_view name, std::string_view json)
{
    if (!members_.empty())
        members_ += ',';
    members_ += '"';
    members_ += name;
    members_ += "\":";
    members_ += json;
    return *this;
}

json_object& json_object::text(std::string_view name, std::string_view value)
{
    if (reader_ == json_for::terminals && !is_utf8(value))
        return member(std::string{name} + "_hex", '"' + hexadecimal(value) + '"');
    return member(name, quoted(value));
}

json_object& json_object::text_if_any(std::string_view name, std::string_view value)
{
    return value.empty() ? null(name) : text(name, value);
}

json_object& json_object::texts(std::string_view name, const std::vector<std::string>& values)
{
    std::string list;
    for (const auto& value : values) {
        list += list.empty() ? "" : ",";
        list += quoted(reader_ == json_for::programs || is_utf8(value) ? value : escaped(value));
    }
    return member(name, '[' + list + ']');
}

json_object& json_object::texts_by_name(std::string_view name,
                                        const std::map<std::string, std::string>& values)
{
    json_object object{reader_};
    for (const auto& [key, value] : values) {
        const auto quoted_key = quoted(key);
        object.text(std::string_view{quoted_key}.substr(1, quoted_key.size() - 2), value);
    }
    return this->object(name, object);
}

json_object& json_object::values_by_name(std::string_view name,
                                         const std::map<std::string, std::string>& values)
{
    json_object object{reader_};
    for (const auto& [key, value] : values) {
        const auto quoted_key = quoted(key);
        object.json_or_null(std::string_view{quoted_key}.substr(1, quoted_key.size() - 2), value);
    }
    return this->object(name, object);
}

json_object& json_object::number(std::string_view name, double value)
{
    if (!std::isfinite(value))
        return null(name);
    if (value == std::floor(value) && std::abs(value) < 1e15)
        return number(name, static_cast<std::int64_t>(value));
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return member(name, {digits, static_cast<std::size_t>(end - digits)});
}

json_object& json_object::time(std::string_view name, std::optional<timestamp> value)
{
    return value ? text(name, format_rfc3339(*value)) : null(name);
}

json_object& json_object::json(std::string_view name, std::string_view value)
{
    return reader_ == json_for::terminals ? member(name, harmless(value)) : member(name, value);
}

json_object& json_object::json_or_null(std::string_view name, std::string_view value)
{
    return is_json(value) ? json(name, value) : null(name);
}

json_object& json_object::json_or_text(std::string_view name, std::string_view value)
{
    return is_json(value) ? json(name, value) : text(name, value);
}

} // namespace coworker::detail
