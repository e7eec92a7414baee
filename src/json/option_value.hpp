// SPDX-License-Identifier: MIT
#pragma once

#include "bounds.hpp"
#include "coworker/managed_options.hpp"
#include "json/members.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What kinds of values options of a push have. Each is described once: how it is read from JSON, what OpenAPI says of it, and
/// how the command line writes it.
namespace coworker::detail {

using texts = std::vector<std::string>;

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
    std::string (*json_of)(const texts& given) = nullptr;
    texts words{}; ///< those that it can be, if it is a word
};

// How texts of the command line become JSON.

std::string json_of_text(const texts& given);
/// A word such as `go-on`: `go_on`.
std::string json_of_word(const texts& given);
std::string json_of_number(const texts& given);
std::string json_of_texts(const texts& given);
std::string json_of_yes(const texts& given);
/// Each NAME or NAME=UNITS.
std::string json_of_limits(const texts& given);

/// "wait, fail or skip"; as the JSON array of an enumeration.
std::string list_of_words(const texts& words);
std::string json_list(const texts& words);

/// A member of OpenAPI's `properties`.
/// @param about  becomes a sentence
std::string schema_member(std::string_view name, const std::string& schema, std::string_view about);
/// The members, without braces around them.
std::string joined_schemas(const texts& members);

// The kinds of values. `place` leads from the options to where the value is stored: a pointer to a member, or a function.

/// @param most  bytes
template<class Place>
option_value text_value(Place place, std::size_t most, std::string_view called = "TEXT")
{
    const auto bytes = std::to_string(most);
    return {[=](managed_push_options& into, member_name name, json_text json) {
                auto text = member_text(name, json);
                if (text.size() > most)
                    refuse_member(name, "a text of 1 to " + bytes + " bytes");
                std::invoke(place, into) = std::move(text);
            },
            R"("type":"string","minLength":1,"maxLength":)" + bytes, called, flag_form::once, json_of_text};
}

template<class Place>
option_value texts_value(Place place, std::string_view called = "TEXT")
{
    return {[=](managed_push_options& into, member_name name, json_text json) {
                std::invoke(place, into) = member_texts(name, json);
            },
            R"("type":"array","items":{"type":"string","minLength":1})", called, flag_form::several,
            json_of_texts};
}

enum class least_time
{
    none,
    above_zero
};

template<class Place>
option_value time_value(Place place, least_time least = least_time::none)
{
    return {[=](managed_push_options& into, member_name name, json_text json) {
                const auto time = member_time(name, json);
                if (least == least_time::above_zero && time.count() <= 0)
                    refuse_member(name, "greater than zero");
                std::invoke(place, into) = time;
            },
            R"("$ref":"#/components/schemas/time")", "TIME", flag_form::once, json_of_text};
}

/// From 0 to `most`.
template<class Place>
option_value share_value(Place place, double most = HUGE_VAL)
{
    const bool is_bounded = std::isfinite(most);
    const auto bound = std::to_string(static_cast<int>(is_bounded ? most : 0));
    const auto wanted = is_bounded ? "a number from 0 to " + bound : std::string{"a number from zero on"};
    return {[=](managed_push_options& into, member_name name, json_text json) {
                const auto number = member_number<double>(name, json, wanted.c_str());
                if (!(number >= 0 && number <= most) || !std::isfinite(number))
                    refuse_member(name, wanted);
                std::invoke(place, into) = number;
            },
            R"("type":"number","minimum":0)" + (is_bounded ? R"(,"maximum":)" + bound : ""), "NUMBER",
            flag_form::once, json_of_number};
}

template<class Place>
option_value number_value(Place place)
{
    return {[=](managed_push_options& into, member_name name, json_text json) {
                const auto number = member_number<double>(name, json, "a number");
                if (!std::isfinite(number))
                    refuse_member(name, "a finite number");
                std::invoke(place, into) = number;
            },
            R"("type":"number")", "NUMBER", flag_form::once, json_of_number};
}

template<class Place>
option_value count_value(Place place)
{
    return {[=](managed_push_options& into, member_name name, json_text json) {
                std::invoke(place, into) =
                    member_number<unsigned>(name, json, "a whole number, not negative");
            },
            R"("type":"integer","minimum":0)", "NUMBER", flag_form::once, json_of_number};
}

template<class Place>
option_value yes_value(Place place)
{
    return {[=](managed_push_options& into, member_name name, json_text json) {
                std::invoke(place, into) = member_boolean(name, json);
            },
            R"("type":"boolean")", "", flag_form::bare, json_of_yes};
}

template<class Value>
using option_words = std::vector<std::pair<std::string, Value>>;

template<class Value>
texts names_of(const option_words<Value>& words)
{
    texts names;
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

/// One word out of several. The first is that of a job that has none.
template<class Place, class Value>
option_value word_value(Place place, const option_words<Value>& words, std::string_view called = "WORD")
{
    return {[=](managed_push_options& into, member_name name, json_text json) {
                std::invoke(place, into) = member_word(name, json, words);
            },
            R"("type":"string","default":")" + words.front().first + R"(","enum":)" +
                json_list(names_of(words)),
            called,
            flag_form::once,
            json_of_word,
            names_of(words)};
}

template<class Place>
option_value limits_value(Place place)
{
    return {[=](managed_push_options& into, member_name name, json_text json) {
                std::invoke(place, into) = member_limits(name, json);
            },
            R"("$ref":"#/components/schemas/limit_uses")", "NAME[=UNITS]", flag_form::several,
            json_of_limits};
}

/// Names and values: metadata.
option_value pairs_value(text_map managed_push_options::*place);

} // namespace coworker::detail
