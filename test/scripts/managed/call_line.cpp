// SPDX-License-Identifier: MIT
#include "table.hpp"

#include <algorithm>
#include <stdexcept>

namespace coworker::test {
namespace {

struct word
{
    std::string text;
    bool quoted = false;
};

/// Takes a quoted word off the front of `rest`.
word take_quoted(std::string_view& rest)
{
    const char quote = rest.front();
    word result{{}, true};
    std::size_t at = 1;
    for (; at < rest.size() && rest[at] != quote; ++at) {
        char letter = rest[at];
        if (quote == '"' && letter == '\\' && at + 1 < rest.size()) {
            letter = rest[++at];
            letter = letter == 'n' ? '\n' : letter == 't' ? '\t' : letter == 'r' ? '\r' : letter;
        }
        result.text += letter;
    }
    if (at >= rest.size())
        throw std::runtime_error{"a quote that does not end"};
    if (at + 1 < rest.size() && rest[at + 1] != ' ')
        throw std::runtime_error{"no blank behind a quoted word"};
    rest.remove_prefix(at + 1);
    return result;
}

std::vector<word> split(std::string_view line)
{
    std::vector<word> words;
    while (!line.empty()) {
        if (line.front() == ' ') {
            line.remove_prefix(1);
        } else if (line.front() == '\'' || line.front() == '"') {
            words.push_back(take_quoted(line));
        } else {
            const auto end = std::min(line.find(' '), line.size());
            words.push_back({std::string{line.substr(0, end)}});
            line.remove_prefix(end);
        }
    }
    return words;
}

} // namespace

table_call parse_call(std::string_view line)
{
    const auto words = split(line);
    if (words.empty() || words.front().text.empty())
        throw std::runtime_error{"a call without a name"};
    table_call result{words.front().text};
    bool keys_follow = false;
    for (auto each = words.begin() + 1; each != words.end(); ++each) {
        if (each->text == "|" && !each->quoted)
            keys_follow = true;
        else
            (keys_follow ? result.keys : result.arguments).push_back(each->text);
    }
    return result;
}

} // namespace coworker::test
