#include "program/terminal/json_line.hpp"

#include "program/terminal/plain_text.hpp"

#include <coworker/codec.hpp>

#include <boost/json/serialize.hpp>

#include <cmath>

namespace coworker::cli {
namespace {

/// Adds an element to the inside of a JSON list.
void add_to(std::string& list, const std::string& element)
{
    if (!list.empty())
        list += ',';
    list += element;
}

/// JSON text on one line and without what a terminal obeys. Blanks outside of texts become spaces; inside of
/// texts, valid JSON has no characters below 0x20.
std::string harmless(std::string_view json)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    result.reserve(json.size());
    const auto escape = [&](unsigned char code) {
        result += "\\u00";
        result += digits[code / 16];
        result += digits[code % 16];
    };
    for (std::size_t i = 0; i != json.size(); ++i) {
        const auto byte = static_cast<unsigned char>(json[i]);
        if (byte == 0x7F)
            escape(byte);
        else if (byte == 0xC2 && i + 1 != json.size() && static_cast<unsigned char>(json[i + 1]) < 0xA0)
            escape(static_cast<unsigned char>(json[++i]));
        else
            result += byte < 0x20 ? ' ' : json[i];
    }
    return result;
}

std::string quoted(std::string_view utf8)
{
    return harmless(boost::json::serialize(boost::json::string_view{utf8}));
}

} // namespace

json_line& json_line::member(std::string_view name, std::string_view json)
{
    if (!members_.empty())
        members_ += ',';
    members_ += '"';
    members_ += name;
    members_ += "\":";
    members_ += json;
    return *this;
}

json_line& json_line::text(std::string_view name, std::string_view value)
{
    if (is_utf8(value))
        return member(name, quoted(value));
    return member(std::string{name} + "_hex", '"' + hexadecimal(value) + '"');
}

json_line& json_line::texts(std::string_view name, const std::vector<std::string>& values)
{
    std::string list;
    for (const auto& value : values)
        add_to(list, quoted(is_utf8(value) ? value : escaped(value)));
    return member(name, '[' + list + ']');
}

json_line& json_line::number(std::string_view name, double value)
{
    if (!std::isfinite(value))
        return null(name);
    if (value == std::floor(value) && std::abs(value) < 1e15)
        return member(name, std::to_string(static_cast<std::int64_t>(value)));
    return member(name, boost::json::serialize(boost::json::value(value)));
}

json_line& json_line::json(std::string_view name, std::string_view value)
{
    if (const auto checked = detail::check_json(value))
        return member(name, harmless(*checked));
    return text(name, value);
}

json_line& json_line::objects(std::string_view name, const std::vector<json_line>& values)
{
    std::string list;
    for (const auto& value : values)
        add_to(list, value.str());
    return member(name, '[' + list + ']');
}

} // namespace coworker::cli
