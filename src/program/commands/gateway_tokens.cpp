// SPDX-License-Identifier: MIT
#include "program/commands/gateway_tokens.hpp"

#include "program/terminal/text_functions.hpp"

#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

namespace coworker::program {
namespace {

/// Nothing: the word is none of them.
std::optional<gateway_right> right_called(const std::string& word)
{
    constexpr struct
    {
        const char* word;
        gateway_right right;
    } rights[] = {{"read", gateway_right::look},
                  {"push", gateway_right::push},
                  {"work", gateway_right::work},
                  {"all", gateway_right::all}};
    for (const auto& each : rights)
        if (word == each.word)
            return each.right;
    return std::nullopt;
}

/// Of words that are joined by commas. Nothing: one of them is wrong.
std::optional<gateway_right> read_rights(const std::string& words)
{
    auto rights = gateway_right::none;
    std::istringstream list{words};
    for (std::string word; std::getline(list, word, ',');) {
        const auto right = right_called(word);
        if (!right)
            return std::nullopt;
        rights = rights | *right;
    }
    return rights;
}

} // namespace

gateway_tokens read_token_file(const std::string& option, const std::string& name)
{
    const auto file_name = option + " '" + escaped(name) + "'";
    std::ifstream file{name};
    std::vector<gateway_token> tokens;
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        const auto words = words_of(line);
        if (words.empty() || words.front().starts_with('#'))
            continue;
        const auto here = file_name + ", line " + std::to_string(number);
        if (words.size() != 1 && words.size() != 3)
            refuse(here + " is no token, and not NAME RIGHTS TOKEN");
        const auto rights = words.size() == 1 ? gateway_right::all : read_rights(words[1]);
        if (!rights)
            refuse(here + ": the rights are some of read, push, work and all, joined by commas");
        tokens.push_back(
            {.name = words.size() == 1 ? "token" : words.front(), .token = words.back(), .rights = *rights});
    }
    if (tokens.empty())
        refuse(file_name + " cannot be read, or has no token");
    return tokens;
}

} // namespace coworker::program
