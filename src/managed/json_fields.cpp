// SPDX-License-Identifier: MIT
#include "managed/json_fields.hpp"

#include "coworker/error.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace coworker::detail {

namespace json = boost::json;

namespace {

[[noreturn]] void fail_to_read(std::string_view what, std::string_view wanted)
{
    throw system_error{errc::not_decodable, std::string{what} + " is not " + std::string{wanted}};
}

const json::array no_elements;

/// The list, or nothing if it is none.
const json::array* as_list(const json::value& value) noexcept
{
    if (value.is_array())
        return &value.get_array();
    if (value.is_object() && value.get_object().empty())
        return &no_elements;
    return nullptr;
}

/// The list's elements as texts; a number counts as its digits.
bool take_texts(const json::array& list, std::vector<std::string>& texts)
{
    texts.reserve(list.size());
    for (const auto& element : list) {
        if (element.is_string())
            texts.emplace_back(element.get_string());
        else if (element.is_number())
            texts.push_back(json::serialize(element));
        else
            return false;
    }
    return true;
}

} // namespace

json::value parse_answer(std::string_view text)
{
    json::parse_options options;
    options.allow_invalid_utf8 = true;
    options.max_depth = 1100; // Lua's reader goes down to 1000
    error_code error;
    auto value = json::parse(text, error, {}, options);
    if (error)
        fail_to_read("Redis' answer", "JSON: " + error.message());
    return value;
}

json_fields::json_fields(const json::value& value, std::string_view what) : what_{what}
{
    if (!value.is_object())
        fail_to_read(what, "an object");
    object_ = &value.get_object();
}

void json_fields::complain(std::string_view name, std::string_view wanted) const
{
    fail_to_read(std::string{what_} + ": '" + std::string{name} + "'", wanted);
}

const json::value* json_fields::find(std::string_view name) const
{
    const auto* value = object_->if_contains(name);
    if (!value || value->is_null() || (value->is_bool() && !value->get_bool()))
        return nullptr;
    return value;
}

std::string json_fields::text(std::string_view name) const
{
    const auto* value = find(name);
    if (!value)
        return {};
    if (!value->is_string())
        complain(name, "a text");
    return std::string{value->get_string()};
}

double json_fields::number(std::string_view name) const
{
    const auto* value = find(name);
    if (!value)
        return 0;
    if (!value->is_number())
        complain(name, "a number");
    return value->to_number<double>();
}

int json_fields::whole(std::string_view name) const
{
    constexpr double least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(std::floor(number(name)), least, most));
}

std::int64_t json_fields::difference(std::string_view name) const
{
    constexpr double limit = 9e18;
    return static_cast<std::int64_t>(std::clamp(number(name), -limit, limit));
}

std::uint64_t json_fields::count(std::string_view name) const
{
    return static_cast<std::uint64_t>(std::max<std::int64_t>(difference(name), 0));
}

bool json_fields::flag(std::string_view name) const
{
    const auto* value = find(name);
    if (value && !value->is_bool())
        complain(name, "true or false");
    return value != nullptr;
}

const json::array& json_fields::list(std::string_view name) const
{
    const auto* value = find(name);
    if (!value)
        return no_elements;
    const auto* elements = as_list(*value);
    if (!elements)
        complain(name, "a list");
    return *elements;
}

std::vector<std::string> json_fields::texts(std::string_view name) const
{
    std::vector<std::string> result;
    if (!take_texts(list(name), result))
        complain(name, "a list of texts");
    return result;
}

const json::object* json_fields::object(std::string_view name) const
{
    const auto* value = find(name);
    if (!value || (value->is_array() && value->get_array().empty()))
        return nullptr;
    if (!value->is_object())
        complain(name, "an object");
    return value->get_object().empty() ? nullptr : &value->get_object();
}

const json::array& list_of(const json::value& value, std::string_view what)
{
    const auto* elements = as_list(value);
    if (!elements)
        fail_to_read(what, "a list");
    return *elements;
}

std::vector<std::string> texts_of(const json::value& value, std::string_view what)
{
    std::vector<std::string> result;
    if (!take_texts(list_of(value, what), result))
        fail_to_read(what, "a list of texts");
    return result;
}

std::vector<std::string> stored_texts(std::string_view json)
{
    std::vector<std::string> texts;
    if (json == "{}" || json == "[]") // qless writes an empty list as an object
        return texts;
    error_code ec;
    const auto value = json::parse(json, ec);
    if (const auto* list = ec ? nullptr : value.if_array())
        for (const auto& each : *list)
            if (const auto* text = each.if_string())
                texts.emplace_back(text->data(), text->size());
    return texts;
}

} // namespace coworker::detail
