// SPDX-License-Identifier: MIT
#include "json_schema.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <regex>
#include <string>

namespace coworker::test {
namespace {

namespace json = boost::json;

bool has_type(const json::value& value, std::string_view type)
{
    if (type == "integer")
        return value.is_int64() || value.is_uint64();
    if (type == "number")
        return value.is_number();
    if (type == "string")
        return value.is_string();
    if (type == "boolean")
        return value.is_bool();
    if (type == "null")
        return value.is_null();
    return type == "array" ? value.is_array() : value.is_object();
}

bool has_one_type(const json::value& value, const json::value& types)
{
    if (types.is_string())
        return has_type(value, types.get_string());
    for (const auto& type : types.as_array())
        if (has_type(value, type.as_string()))
            return true;
    return false;
}

std::string mismatch_of_members(const json::value& document, const json::object& schema,
                                const json::object& value)
{
    if (const auto* const required = schema.if_contains("required"))
        for (const auto& name : required->as_array())
            if (!value.contains(name.as_string()))
                return "missing " + std::string{name.as_string()};
    const auto* const properties = schema.if_contains("properties");
    const auto* const more = schema.if_contains("additionalProperties");
    for (const auto& [name, member] : value) {
        const auto* const known = properties ? properties->as_object().if_contains(name) : nullptr;
        if (!known && more && more->is_bool() && !more->get_bool())
            return "unknown " + std::string{name};
        if (known)
            if (auto wrong = mismatch(document, *known, member); !wrong.empty())
                return std::string{name} + ": " + wrong;
    }
    return {};
}

std::string mismatch_of_alternatives(const json::value& document, const json::array& schemas,
                                     const json::value& value)
{
    std::string all;
    int fitting = 0;
    for (const auto& schema : schemas) {
        const auto wrong = mismatch(document, schema, value);
        fitting += wrong.empty();
        all += wrong + "; ";
    }
    return fitting == 1 ? std::string{} : "not one of: " + all;
}

} // namespace

const json::value& resolve(const json::value& document, const json::value& value)
{
    const auto* const object = value.if_object();
    const auto* const reference = object ? object->if_contains("$ref") : nullptr;
    if (!reference)
        return value;
    return document.at_pointer(std::string_view{reference->as_string()}.substr(1));
}

std::string mismatch(const json::value& document, const json::value& unresolved, const json::value& value)
{
    const auto& schema = resolve(document, unresolved).as_object();
    if (const auto* const type = schema.if_contains("type"); type && !has_one_type(value, *type))
        return json::serialize(value) + " is no " + json::serialize(*type);
    if (const auto* const expected = schema.if_contains("const"); expected && *expected != value)
        return json::serialize(value) + " is not " + json::serialize(*expected);
    if (const auto* const names = schema.if_contains("enum");
        names &&
        std::find(names->as_array().begin(), names->as_array().end(), value) == names->as_array().end())
        return json::serialize(value) + " is none of " + json::serialize(*names);
    if (const auto* const pattern = schema.if_contains("pattern"); pattern && value.is_string())
        if (const std::string text{value.get_string()};
            !std::regex_search(text, std::regex{std::string{pattern->as_string()}}))
            return text + " does not fit";
    if (const auto* const alternatives = schema.if_contains("oneOf"))
        return mismatch_of_alternatives(document, alternatives->as_array(), value);
    if (const auto* const least = schema.if_contains("minItems");
        least && value.is_array() && value.get_array().size() < least->to_number<std::size_t>())
        return json::serialize(value) + " has too few items";
    if (const auto* const items = schema.if_contains("items"); items && value.is_array())
        for (const auto& element : value.get_array())
            if (auto wrong = mismatch(document, *items, element); !wrong.empty())
                return wrong;
    return value.is_object() ? mismatch_of_members(document, schema, value.get_object()) : std::string{};
}

} // namespace coworker::test
