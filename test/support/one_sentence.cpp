// SPDX-License-Identifier: MIT
#include "support/one_sentence.hpp"

#include "coworker/error.hpp"

#include <algorithm>

namespace coworker::test {
namespace {

bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Where the quote ends that begins here; npos: it does not, or is an apostrophe.
std::size_t end_of_quote(std::string_view text, std::size_t begin)
{
    if (begin != 0 && is_word(text[begin - 1]))
        return text.npos;
    for (auto end = begin; (end = text.find(text[begin], end + 1)) != text.npos;)
        if (end + 1 == text.size() || !is_word(text[end + 1]))
            return end;
    return text.npos;
}

std::string without_quotes(std::string_view text)
{
    std::string rest;
    for (std::size_t i = 0; i != text.size(); ++i) {
        rest += text[i];
        const bool may_begin = text[i] == '\'' || text[i] == '"' || text[i] == '`';
        if (const auto end = may_begin ? end_of_quote(text, i) : text.npos; end != text.npos)
            i = end;
    }
    return rest;
}

/// Without examples of JSON.
std::string without_braces(std::string_view text)
{
    std::string rest;
    std::size_t depth = 0;
    for (const char c : text) {
        depth -= c == '}' && depth != 0;
        if (depth == 0)
            rest += c;
        depth += c == '{';
    }
    return rest;
}

/// Without the code in brackets, and the full stop.
std::string_view words_of(std::string_view text)
{
    if (text.ends_with('.'))
        text.remove_suffix(1);
    if (const auto code = text.rfind(" [coworker:"); code != text.npos && text.ends_with(']'))
        text = text.substr(0, code);
    return text;
}

/// What an error code says of all errors like it, if the text says that behind a sentence of its own; else empty. What it
/// says of one thing, "j1: there is no such job here", is a sentence.
std::string general_words_in(std::string_view text)
{
    const auto unknown = category().message(0);
    for (int code = 1; category().message(code) != unknown; ++code) {
        auto said = ": " + category().message(code);
        if (!text.ends_with(said))
            continue;
        const auto own = without_quotes(text.substr(0, text.size() - said.size()));
        if (own.find(' ') != own.npos || code == static_cast<int>(errc::invalid_option))
            return said;
    }
    return {};
}

} // namespace

std::string chain_in(std::string_view text)
{
    const auto words = words_of(text);
    if (const auto said = general_words_in(words); !said.empty())
        return "it ends with what a code says of all errors like it '" + said + '\'';
    const auto rest = without_braces(without_quotes(words));
    const std::string_view colon = ": ";
    const auto first = rest.find(colon);
    if (first != rest.npos && rest.find(colon, first + 1) != rest.npos)
        return "it has more than one colon: '" + rest + '\'';
    return {};
}

} // namespace coworker::test
