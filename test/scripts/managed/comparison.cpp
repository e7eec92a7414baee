// SPDX-License-Identifier: MIT
#include "comparison.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>

namespace coworker::test {
namespace {

namespace json = boost::json;

json::value to_json(const redis_value& value)
{
    using kind = redis_value::kind;
    switch (value.type) {
    case kind::nil:
        return nullptr;
    case kind::integer:
        return value.integer;
    case kind::array: {
        json::array elements;
        for (const auto& element : value.elements)
            elements.push_back(to_json(element));
        return elements;
    }
    case kind::error: // inside of a list; no table expects one
        return json::object{{"error", value.text}};
    default:
        return json::string{value.text};
    }
}

json::array to_array(const std::vector<std::string>& texts)
{
    json::array result;
    for (const auto& text : texts)
        result.emplace_back(text);
    return result;
}

json::value read_key(raw_redis& redis, const std::string& key, const std::string& type)
{
    if (type == "list")
        return to_array(redis("LRANGE", key, 0, -1).texts());
    if (type == "hash") {
        json::object fields;
        for (const auto& [field, value] : redis("HGETALL", key).pairs())
            fields.emplace(field, value);
        return fields;
    }
    if (type == "set") {
        auto members = redis("SMEMBERS", key).texts();
        std::sort(members.begin(), members.end());
        return to_array(members);
    }
    if (type == "zset") {
        json::array pairs;
        const auto texts = redis("ZRANGE", key, 0, -1, "WITHSCORES").texts();
        for (std::size_t i = 0; i + 1 < texts.size(); i += 2)
            pairs.push_back(json::array{texts[i], texts[i + 1]});
        return pairs;
    }
    if (type == "string")
        return json::string{redis("GET", key).text};
    throw std::runtime_error{"no table can hold the " + type + " in " + key};
}

bool less(const json::value& one, const json::value& other)
{
    return json::serialize(one) < json::serialize(other);
}

/// Sorts the lists whose order Redis leaves open, at any depth.
void sort_links(json::value& value)
{
    if (auto* elements = value.if_array())
        for (auto& element : *elements)
            sort_links(element);
    if (auto* members = value.if_object())
        for (auto& [key, member] : *members) {
            sort_links(member);
            if ((key == "dependents" || key == "dependencies") && member.is_array())
                std::sort(member.get_array().begin(), member.get_array().end(), less);
        }
}

/// Numbers compare by value, whether they are written 1 or 1.0; the order of an object's keys is of no
/// importance.
bool same(const json::value& found, const json::value& expected)
{
    if (found.is_number() && expected.is_number())
        return found == expected || found.to_number<double>() == expected.to_number<double>();
    return found == expected;
}

std::string differ(const std::string& found, const std::string& expected)
{
    return "\n  found:    " + found + "\n  expected: " + expected;
}

std::string compare_error(const redis_value& found, const std::string& expected)
{
    const auto text = found.text.starts_with("ERR ") ? found.text.substr(4) : found.text;
    return found.is_error() && text == expected ? "" : differ(json::serialize(to_json(found)), expected);
}

/// What Redis itself says goes on with the script's hash and line.
std::string compare_raised(const redis_value& found, const std::string& expected)
{
    const bool fits = found.is_error() && found.text.starts_with(expected);
    return fits ? "" : differ(json::serialize(to_json(found)), expected);
}

std::string compare_text(const redis_value& found, const std::string& expected)
{
    if (found.type != redis_value::kind::text)
        return differ(json::serialize(to_json(found)), "a text");
    auto holds = json::parse(found.text), wanted = json::parse(expected);
    sort_links(holds);
    sort_links(wanted);
    return same(holds, wanted) ? "" : differ(json::serialize(holds), json::serialize(wanted));
}

std::string compare_unordered(const redis_value& found, const std::string& expected)
{
    auto holds = to_json(found), wanted = json::parse(expected);
    if (!holds.is_array())
        return differ(json::serialize(holds), "a list");
    for (auto* list : {&holds, &wanted})
        std::sort(list->as_array().begin(), list->as_array().end(), less);
    return same(holds, wanted) ? "" : differ(json::serialize(holds), json::serialize(wanted));
}

/// A number that a script handed to Redis becomes a text: since Redis 7.2 the shortest one that is read as this number
/// (1.7000233908229983e+9), before with up to 17 digits (1700023390.8229983).
std::string spelt_long(const std::string& text)
{
    double number = 0;
    const auto* end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || last != end || !std::isfinite(number))
        return text;
    std::array<char, 32> digits;
    std::snprintf(digits.data(), digits.size(), "%.17g", number);
    return digits.data();
}

void spell_long(json::value& value)
{
    if (auto* elements = value.if_array())
        for (auto& element : *elements)
            spell_long(element);
    if (auto* members = value.if_object())
        for (auto& [key, member] : *members)
            spell_long(member);
    if (value.is_string())
        value = json::string{spelt_long(std::string{value.get_string()})};
}

json::object sorted(const json::object& fields)
{
    std::map<std::string, json::value> in_order;
    for (const auto& [field, value] : fields)
        in_order[field] = value;
    return json::object(in_order.begin(), in_order.end());
}

/// Of a job's options, "140 {...}", too: cjson writes members of an object in an order that servers differ in.
json::value sorted_options(const json::value& stored)
{
    const auto text = stored.is_string() ? std::string{stored.get_string()} : "";
    const auto blank = text.find(' ');
    boost::system::error_code error;
    const auto options = json::parse(blank == text.npos ? "" : text.substr(blank + 1), error);
    if (error || !options.is_object())
        return stored;
    return json::string{text.substr(0, blank + 1) + json::serialize(sorted(options.get_object()))};
}

/// A type, and its content as JSON, in one spelling.
std::string canonical(const std::string& content, number_texts numbers)
{
    const auto blank = content.find(' ');
    auto value = json::parse(content.substr(blank + 1));
    if (numbers == number_texts::by_value)
        spell_long(value);
    if (auto* fields = value.if_object()) {
        if (auto* options = fields->if_contains("options"))
            *options = sorted_options(*options);
        value = sorted(*fields);
    }
    return content.substr(0, blank + 1) + json::serialize(value);
}

std::string places_of(const std::string& key, const std::vector<table_change>& changes)
{
    std::string places;
    for (const auto& change : changes)
        if (change.key == key)
            places += "\n  in " + change.place;
    return places;
}

} // namespace

database dump(raw_redis& redis)
{
    database result;
    for (const auto& key : redis("KEYS", "*").texts()) {
        const auto type = redis("TYPE", key).text;
        result[key] = type + ' ' + json::serialize(read_key(redis, key, type));
    }
    return result;
}

std::string shown(const redis_value& reply)
{
    return reply.is_error() ? reply.text : json::serialize(to_json(reply));
}

std::string compare_reply(const redis_value& found, const std::string& expected, number_texts numbers)
{
    const auto rest = [&](std::size_t form) { return expected.substr(std::min(form, expected.size())); };
    if (expected.starts_with("error: "))
        return compare_error(found, rest(7));
    if (expected.starts_with("raised: "))
        return compare_raised(found, rest(8));
    if (found.is_error())
        return differ("error: " + found.text, expected);
    if (expected == "any")
        return {};
    if (expected.starts_with("json: "))
        return compare_text(found, rest(6));
    if (expected.starts_with("unordered: "))
        return compare_unordered(found, rest(11));
    auto answered = to_json(found), wanted = json::parse(expected);
    if (numbers == number_texts::by_value) { // scores, of a command of Redis
        spell_long(answered);
        spell_long(wanted);
    }
    return answered == wanted ? "" : differ(json::serialize(answered), json::serialize(wanted));
}

std::string compare_messages(const std::vector<std::string>& found, const std::vector<std::string>& expected,
                             const std::vector<std::string>& places)
{
    if (found == expected)
        return {};
    std::string difference;
    for (std::size_t i = 0; i < std::max(found.size(), expected.size()); ++i) {
        const auto was = i < found.size() ? found[i] : "(none)";
        const auto wanted = i < expected.size() ? expected[i] : "(none)";
        if (was != wanted)
            difference += differ(was, wanted) + (i < places.size() ? "\n  in " + places[i] : "");
    }
    return difference;
}

std::string compare_databases(const database& found, const database& expected, number_texts numbers,
                              const std::vector<table_change>& changes)
{
    std::string difference;
    const auto complain = [&](const std::string& key, const std::string& was, const std::string& wanted) {
        difference += "\n  " + key + ':' + differ(was, wanted) + places_of(key, changes);
    };
    for (const auto& [key, content] : expected) {
        const auto there = found.find(key);
        const auto was = there == found.end() ? "(none)" : canonical(there->second, numbers);
        if (const auto wanted = canonical(content, numbers); was != wanted)
            complain(key, was, wanted);
    }
    for (const auto& [key, content] : found)
        if (!expected.contains(key))
            complain(key, content, "(none)");
    return difference;
}

} // namespace coworker::test
