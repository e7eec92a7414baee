// SPDX-License-Identifier: MIT
#include "values.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace coworker::test::model {
namespace {

std::string formatted(const char* format, double number)
{
    std::array<char, 400> buffer{};
    const auto size = std::snprintf(buffer.data(), buffer.size(), format, number);
    return {buffer.data(), static_cast<std::size_t>(size)};
}

bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool less(const json::value& one, const json::value& other)
{
    return json::serialize(one) < json::serialize(other);
}

/// A text that is a number, as Redis 7.0 spells it: 7.9 is 7.9000000000000004. Later ones spell it with the fewest
/// digits. Texts with more digits than a number has are those of a script, and remain.
std::string spelt_long(const std::string& text)
{
    const auto number = to_number(text);
    const auto digits = std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    return number && digits < 20 && text.find_first_of(".e") != text.npos ? text17(*number) : text;
}

} // namespace

std::optional<double> to_number(const optional_text& text)
{
    if (!text || text->empty())
        return std::nullopt;
    char* end = nullptr;
    const double number = std::strtod(text->c_str(), &end);
    if (end == text->c_str() || !std::isfinite(number))
        return std::nullopt;
    while (is_blank(*end))
        ++end;
    if (end != text->c_str() + text->size())
        return std::nullopt;
    return number;
}

std::string text17(double number)
{
    return formatted("%.17g", number);
}

std::string text14(double number)
{
    return formatted("%.14g", number);
}

std::string text_of_time(double number)
{
    return formatted("%.20f", number);
}

double rounded14(double number)
{
    return std::strtod(text14(number).c_str(), nullptr);
}

double day_of(double now)
{
    return now - (now - std::floor(now / 86400) * 86400);
}

json::value decode(const optional_text& text)
{
    // The words for the bad texts that the generated commands use.
    static const std::map<std::string, std::string> complaints{
        {"", "Expected value but found T_END at character 1"},
        {"{", "Expected object key string but found T_END at character 2"},
        {"[1,]", "Expected value but found T_ARR_END at character 4"},
    };
    if (!text)
        throw refusal{"bad argument #1 to 'decode' (string expected, got nil)"};
    if (const auto found = complaints.find(*text); found != complaints.end())
        throw refusal{found->second};
    if (*text == "nan" || *text == "-inf")
        return 0; // numbers to cjson
    boost::system::error_code error;
    auto result = json::parse(*text, error);
    if (error)
        throw refusal{"Expected value but found invalid token at character 1"};
    return result;
}

std::optional<strings> to_list(const json::value& value)
{
    strings result;
    if (const auto* object = value.if_object(); object && object->empty())
        return result;
    const auto* elements = value.if_array();
    if (!elements)
        return std::nullopt;
    for (const auto& element : *elements) {
        if (!element.is_string())
            return std::nullopt;
        result.emplace_back(element.get_string());
    }
    return result;
}

json::value to_json(const strings& texts)
{
    return json::array(texts.begin(), texts.end());
}

std::string in_quotes(std::string_view text)
{
    std::string result{'"'};
    for (const char c : text) {
        if (c == '/' || c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + '"';
}

void normalise(json::value& value)
{
    if (value.is_number())
        value = value.to_number<double>();
    else if (value.is_string())
        value = json::string{spelt_long(std::string{value.get_string()})};
    if (auto* elements = value.if_array())
        for (auto& element : *elements)
            normalise(element);
    auto* members = value.if_object();
    if (!members)
        return;
    if (members->empty()) {
        value = json::array{};
        return;
    }
    std::map<std::string, json::value> sorted;
    for (auto& [key, member] : *members) {
        normalise(member);
        if ((key == "dependents" || key == "dependencies") && member.is_array())
            std::sort(member.get_array().begin(), member.get_array().end(), less);
        sorted[key] = member;
    }
    value = json::object(sorted.begin(), sorted.end());
}

std::string canonical(const std::string& text)
{
    boost::system::error_code error;
    auto value = json::parse(text, error);
    if (error || !(value.is_object() || value.is_array()))
        return text;
    normalise(value);
    return json::serialize(value);
}

} // namespace coworker::test::model
