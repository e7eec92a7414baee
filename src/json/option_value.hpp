// SPDX-License-Identifier: MIT
#pragma once

#include "bounds.hpp"
#include "coworker/managed_options.hpp"
#include "text/json_object.hpp"
#include "json/job_text.hpp"
#include "json/limit_text.hpp"
#include "json/members.hpp"

#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// What kinds of values options of a push have. Each is described once: how it is read from JSON, what OpenAPI says of it, and
/// how the command line writes it.
namespace coworker::detail {

using option_texts = std::vector<std::string>;

/// How often a flag may be given, and whether it has a value.
enum class flag_form
{
    once,    ///< --group TEXT
    several, ///< --tag TEXT --tag TEXT
    bare,    ///< --reads-parents
};

struct option_value
{
    /// Stores what a member of JSON says among the options of a job.
    std::function<void(managed_push_options& into, member_name name, json_text json)> read;
    /// Members of its schema in OpenAPI.
    std::string schema;
    /// What the flag's value is called in the help.
    std::string_view called = "TEXT";
    flag_form form = flag_form::once;
    /// The JSON of what a flag was given. What cannot be used stays as it is, so that `read` refuses it.
    std::string (*json_of)(const option_texts& given) = nullptr;
    option_texts words{}; ///< those that it can be, if it is a word
    /// Adds the member that `read` reads, if the option was given.
    std::function<void(json_object& out, std::string_view name, const managed_push_options& from)> write{};
};

// How texts of the command line become JSON.

std::string json_of_text(const option_texts& given);
/// A word such as `go-on`: `go_on`.
std::string json_of_word(const option_texts& given);
std::string json_of_number(const option_texts& given);
std::string json_of_texts(const option_texts& given);
std::string json_of_yes(const option_texts& given);
/// Each NAME or NAME=UNITS.
std::string json_of_limits(const option_texts& given);
/// Each NAME=VALUE.
std::string json_of_pairs(const option_texts& given);

/// "wait, fail or skip"; as the JSON array of an enumeration.
std::string list_of_words(const option_texts& words);
std::string json_list(const option_texts& words);

/// A member of OpenAPI's `properties`.
/// @param about  becomes a sentence
std::string schema_member(std::string_view name, const std::string& schema, std::string_view about);
/// The members, without braces around them.
std::string joined_schemas(const option_texts& members);

// Readers that several options have.

/// A text of at most so many bytes.
std::string member_short_text(member_name name, json_text json, std::size_t most);
std::chrono::milliseconds member_time_above_zero(member_name name, json_text json);
/// A finite number in a range, which may be open.
double member_number_between(member_name name, json_text json, double least, double most);
unsigned member_whole_number(member_name name, json_text json);
/// An object of texts.
text_map member_pairs(member_name name, json_text json);

template<class Value>
using option_words = std::vector<std::pair<std::string, Value>>;

/// The words of an enumeration.
template<class Value>
option_words<Value> words_of(std::initializer_list<Value> values)
{
    option_words<Value> words;
    for (const auto value : values)
        words.emplace_back(to_string(value), value);
    return words;
}

template<class Value>
option_texts names_of(const option_words<Value>& words)
{
    option_texts names;
    for (const auto& [name, _] : words)
        names.push_back(name);
    return names;
}

template<class Value>
Value member_word(member_name name, json_text json, const option_words<Value>& words)
{
    const auto given = member_text(name, json);
    for (const auto& [word, value] : words)
        if (word == given)
            return value;
    refuse_member(name, list_of_words(names_of(words)));
}

/// Adds a member, if the option was given.
template<class Value>
void write_given(json_object& out, std::string_view name, const Value& value)
{
    if constexpr (std::same_as<Value, bool>)
        value ? out.boolean(name, true) : out;
    else if constexpr (std::is_arithmetic_v<Value>)
        out.number(name, value);
    else if constexpr (std::is_enum_v<Value>)
        out.text(name, to_string(value));
    else if constexpr (std::convertible_to<Value, std::chrono::milliseconds>)
        out.number(name, in_seconds(value));
    else if constexpr (std::same_as<Value, exponential_backoff>)
        out.object(name, json_object{out.reader()}
                             .number("initial", in_seconds(value.initial))
                             .number("factor", value.factor)
                             .number("maximum", in_seconds(value.maximum))
                             .number("jitter", value.jitter));
    else if constexpr (std::same_as<Value, text>)
        value.empty() ? out : out.text(name, value);
    else if constexpr (std::same_as<Value, text_list>)
        value.is_given() ? out.texts(name, {value.begin(), value.end()}) : out;
    else if constexpr (std::same_as<Value, text_map>)
        value.empty() ? out : out.texts_by_name(name, value.items());
    else if constexpr (std::same_as<Value, limit_list>)
        value.is_given()
            ? out.objects(name, value, [&](const auto& each) { return describe(each, out.reader()); })
            : out;
    else if (value)
        write_given(out, name, *value);
}

// The kinds of values. `place` leads from the options to where the value is stored: a pointer to a member, or a function.

template<class Place, class Read>
option_value stored(Place place, Read read, std::string schema, std::string_view called = "TEXT",
                    flag_form form = flag_form::once,
                    std::string (*json_of)(const option_texts& given) = json_of_text)
{
    return {[=](managed_push_options& into, member_name name, json_text json) {
                std::invoke(place, into) = read(name, json);
            },
            std::move(schema),
            called,
            form,
            json_of,
            {},
            [=](json_object& out, std::string_view name, const managed_push_options& from) {
                write_given(out, name, std::invoke(place, from));
            }};
}

/// @param most  bytes
option_value text_value(auto place, std::size_t most, std::string_view called = "TEXT")
{
    const auto read = [most](member_name name, json_text json) {
        return member_short_text(name, json, most);
    };
    return stored(place, read, R"("type":"string","minLength":1,"maxLength":)" + std::to_string(most),
                  called);
}

option_value texts_value(auto place, std::string_view called = "TEXT")
{
    return stored(place, member_texts, R"("type":"array","items":{"type":"string","minLength":1})", called,
                  flag_form::several, json_of_texts);
}

option_value time_value(auto place, std::chrono::milliseconds read(member_name, json_text) = member_time)
{
    return stored(place, read, R"("$ref":"#/components/schemas/time")", "TIME");
}

option_value number_value(auto place, double least = -HUGE_VAL, double most = HUGE_VAL)
{
    const auto bound = [](const char* name, double at) {
        return std::isfinite(at) ? ",\"" + std::string{name} + "\":" + std::to_string(std::lround(at)) : "";
    };
    const auto read = [=](member_name name, json_text json) {
        return member_number_between(name, json, least, most);
    };
    return stored(place, read, R"("type":"number")" + bound("minimum", least) + bound("maximum", most),
                  "NUMBER", flag_form::once, json_of_number);
}

option_value count_value(auto place)
{
    return stored(place, member_whole_number, R"("type":"integer","minimum":0)", "NUMBER", flag_form::once,
                  json_of_number);
}

/// A whole number.
option_value number_from_one(auto place, unsigned most)
{
    const auto read = [=](member_name name, json_text json) {
        const auto number = member_whole_number(name, json);
        if (number < 1 || number > most)
            refuse_member(name, "a whole number from 1 to " + std::to_string(most));
        return number;
    };
    return stored(place, read, R"("type":"integer","minimum":1,"maximum":)" + std::to_string(most), "NUMBER",
                  flag_form::once, json_of_number);
}

option_value yes_value(auto place)
{
    return stored(place, member_boolean, R"("type":"boolean")", "", flag_form::bare, json_of_yes);
}

option_value limits_value(auto place)
{
    return stored(place, member_limits, R"("$ref":"#/components/schemas/limit_uses")", "NAME[=UNITS]",
                  flag_form::several, json_of_limits);
}

option_value pairs_value(auto place)
{
    return stored(place, member_pairs, R"("type":"object","additionalProperties":{"type":"string"})",
                  "NAME=VALUE", flag_form::several, json_of_pairs);
}

/// One word out of several. The first is that of a job that has none.
template<class Value>
option_value word_value(auto place, const option_words<Value>& words, std::string_view called = "WORD")
{
    const auto read = [words](member_name name, json_text json) { return member_word(name, json, words); };
    auto value = stored(place, read, R"("type":"string","enum":)" + json_list(names_of(words)), called,
                        flag_form::once, json_of_word);
    value.words = names_of(words);
    value.schema += R"(,"default":")" + value.words.front() + '"';
    return value;
}

} // namespace coworker::detail
