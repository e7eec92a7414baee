// SPDX-License-Identifier: MIT
#include "json/option_value.hpp"

#include "text/json_object.hpp"

#include <algorithm>
#include <cctype>

namespace coworker::detail {
namespace {

/// The texts, each as `json_of` has it, between brackets.
template<class Function>
std::string joined(char open, const option_texts& given, char close, Function json_of)
{
    std::string all{open};
    for (const auto& each : given)
        all += (all.size() == 1 ? "" : ",") + json_of(each);
    return all + close;
}

/// NAME=UNITS as an object; NAME as a text.
std::string json_of_limit(const std::string& given)
{
    const auto equals = given.rfind('=');
    if (equals == given.npos)
        return json_string(given);
    return R"({"name":)" + json_string(given.substr(0, equals)) + R"(,"units":)" +
           json_of_number({given.substr(equals + 1)}) + '}';
}

/// NAME=VALUE as a member. Without a name or a sign it is one that nothing can be called by.
std::string json_of_pair(const std::string& given)
{
    const auto equals = given.find('=');
    if (equals == given.npos)
        return R"("":"")";
    return json_string(given.substr(0, equals)) + ':' + json_string(given.substr(equals + 1));
}

} // namespace

std::string json_of_text(const option_texts& given)
{
    return json_string(given.front());
}

std::string json_of_word(const option_texts& given)
{
    auto word = given.front();
    std::replace(word.begin(), word.end(), '-', '_');
    return json_string(word);
}

std::string json_of_number(const option_texts& given)
{
    return to_number<double>(given.front()) && is_json(given.front()) ? given.front()
                                                                      : json_string(given.front());
}

std::string json_of_texts(const option_texts& given)
{
    return json_list(given);
}

std::string json_of_yes(const option_texts&)
{
    return "true";
}

std::string json_of_limits(const option_texts& given)
{
    return joined('[', given, ']', json_of_limit);
}

std::string json_of_pairs(const option_texts& given)
{
    return joined('{', given, '}', json_of_pair);
}

std::string list_of_words(const option_texts& words)
{
    std::string list;
    for (const auto& word : words)
        list += (list.empty() ? "" : &word == &words.back() ? " or " : ", ") + word;
    return list;
}

std::string json_list(const option_texts& words)
{
    return joined('[', words, ']', json_string);
}

std::string schema_member(std::string_view name, const std::string& schema, std::string_view about)
{
    auto sentence = std::string{about} + (about.ends_with('.') ? "" : ".");
    sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    return json_string(name) + ": {" + schema + R"(,"description":)" + json_string(sentence) + '}';
}

std::string joined_schemas(const option_texts& members)
{
    std::string all;
    for (const auto& each : members)
        all += (all.empty() ? "" : ",\n          ") + each;
    return all;
}

std::string member_short_text(member_name name, json_text json, std::size_t most)
{
    auto text = member_text(name, json);
    if (text.size() > most)
        refuse_member(name, "a text of 1 to " + std::to_string(most) + " bytes");
    return text;
}

std::chrono::milliseconds member_time_above_zero(member_name name, json_text json)
{
    const auto time = member_time(name, json);
    if (time.count() <= 0)
        refuse_member(name, "greater than zero");
    return time;
}

double member_number_between(member_name name, json_text json, double least, double most)
{
    const auto bound = [](const char* word, double at) {
        return std::isfinite(at) ? word + std::to_string(std::lround(at)) : std::string{};
    };
    const auto number = to_number<double>(json);
    if (!number || !std::isfinite(*number) || *number < least || *number > most)
        refuse_member(name, "a number" + bound(" from ", least) + bound(" to ", most));
    return *number;
}

unsigned member_whole_number(member_name name, json_text json)
{
    return member_number<unsigned>(name, json, "a whole number, not negative");
}

text_map member_pairs(member_name name, json_text json)
{
    if (json.front() != '{')
        refuse_member(name, R"(an object such as {"tenant": "42"})");
    text_map pairs;
    std::size_t bytes = 0;
    for (const auto& [key, value] : members_of(json)) {
        if (key.empty() || key.size() > max_metadata_name || value.front() != '"')
            refuse_member(name, "made of names of 1 to " + std::to_string(max_metadata_name) +
                                    " bytes, each with a text");
        if (pairs.items().contains(key))
            refuse_member(name, "free of names that are there twice");
        const auto text = string_of(value);
        bytes += key.size() + text.size();
        pairs.set(key, text);
    }
    if (pairs.items().size() > max_metadata || bytes > max_metadata_bytes)
        refuse_member(name, "at most " + std::to_string(max_metadata) + " names and values of " +
                                std::to_string(max_metadata_bytes) + " bytes altogether");
    return pairs;
}

} // namespace coworker::detail
