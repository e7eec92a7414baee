// SPDX-License-Identifier: MIT
#include "named_steps.hpp"

#include <algorithm>
#include <cctype>
#include <istream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string_view>

namespace coworker::test {
namespace {

/// Whether a word stands for what is written in its place.
bool is_parameter(std::string_view word)
{
    return !word.empty() &&
           std::all_of(word.begin(), word.end(), [](char letter) { return letter >= 'A' && letter <= 'Z'; });
}

std::vector<std::string> words_of(std::string_view text)
{
    const auto [name, arguments, keys] = parse_call(text);
    if (!keys.empty())
        throw std::runtime_error{"no step has a |: " + std::string{text}};
    std::vector<std::string> words{name};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

/// Whether a line can be meant by both.
bool overlap(const std::vector<std::string>& one, const std::vector<std::string>& other)
{
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const auto& word, const auto& opposite) {
                          return word == opposite || is_parameter(word) || is_parameter(opposite);
                      });
}

/// Whether a step of these words is meant by a line of these.
bool fits(const std::vector<std::string>& step, const std::vector<std::string>& line)
{
    return std::equal(
        step.begin(), step.end(), line.begin(), line.end(),
        [](const auto& meant, const auto& word) { return word == meant || is_parameter(meant); });
}

/// Calls `replace` with each parameter, and puts its result in the place of it.
template<class Replace>
std::string replace_parameters(std::string_view text, Replace replace)
{
    const auto belongs = [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; };
    std::string result;
    while (!text.empty()) {
        const auto end = std::find_if_not(text.begin(), text.end(), belongs);
        const auto word =
            text.substr(0, std::max<std::size_t>(1, static_cast<std::size_t>(end - text.begin())));
        result += is_parameter(word) ? replace(std::string{word}) : std::string{word};
        text.remove_prefix(word.size());
    }
    return result;
}

} // namespace

named_steps::named_steps(std::istream& lines, std::string file) : file_{std::move(file)}
{
    std::size_t number = 0;
    try {
        for (std::string text; std::getline(lines, text);)
            read(++number, text);
        end();
    } catch (const std::runtime_error& error) {
        throw std::runtime_error{place(number) + ": " + error.what()};
    }
}

void named_steps::read(std::size_t number, const std::string& text)
{
    if (text.starts_with('#'))
        return;
    if (text.empty()) {
        end();
        section_.clear();
    } else if (text.starts_with("step: ")) {
        begin(number, text.substr(6));
    } else if (section_.empty()) {
        throw std::runtime_error{"outside of a step: " + text};
    } else if (text == "messages:" || text == "changes:") {
        section_ = text;
    } else if (!text.starts_with("  ") || section_ == "step:") {
        throw std::runtime_error{"unknown section " + text};
    } else {
        if (section_ == "changes:")
            parse_change(text.substr(2));
        auto& lines = section_ == "changes:" ? steps_.back().changes : steps_.back().messages;
        lines.push_back({number, text.substr(2)});
    }
}

void named_steps::begin(std::size_t number, const std::string& text)
{
    if (!section_.empty())
        throw std::runtime_error{"no empty line in front of a step"};
    section_ = "step:";
    steps_.push_back({.number = number, .text = text, .words = words_of(text)});
    for (auto each = steps_.begin(); each + 1 != steps_.end(); ++each)
        if (overlap(each->words, steps_.back().words))
            throw std::runtime_error{"cannot be told from a step above: " + each->text};
}

/// Each parameter is used, and each word in capital letters is one.
void named_steps::end() const
{
    if (section_.empty())
        return;
    const auto& words = steps_.back().words;
    std::set<std::string> unused;
    std::copy_if(words.begin(), words.end(), std::inserter(unused, unused.end()), is_parameter);
    const auto note = [&](const std::string& word) {
        if (std::find(words.begin(), words.end(), word) == words.end())
            throw std::runtime_error{"no parameter of the step: " + word};
        unused.erase(word);
        return word;
    };
    for (const auto* lines : {&steps_.back().messages, &steps_.back().changes})
        for (const auto& each : *lines)
            replace_parameters(each.text, note);
    if (!unused.empty())
        throw std::runtime_error{"the step does not use " + *unused.begin()};
}

void named_steps::add(table_outcome& outcome, const std::string& use, const std::string& place_of_use)
{
    const auto words = words_of(use);
    const auto found =
        std::find_if(steps_.begin(), steps_.end(), [&](const auto& each) { return fits(each.words, words); });
    if (found == steps_.end())
        throw std::runtime_error{"no such step: " + use + similar(words.front())};
    found->is_used = true;
    const auto filled = [&](const line& each) {
        return replace_parameters(each.text, [&](const std::string& parameter) {
            const auto at = std::find(found->words.begin(), found->words.end(), parameter);
            return words[static_cast<std::size_t>(at - found->words.begin())];
        });
    };
    const auto from = [&](const line& each) { return place_of_use + ", from " + place(each.number); };
    for (const auto& each : found->messages)
        outcome.messages.push_back({filled(each), from(each)});
    for (const auto& each : found->changes) {
        outcome.changes.push_back(parse_change(filled(each)));
        outcome.changes.back().place = from(each);
    }
}

std::string named_steps::similar(const std::string& name) const
{
    std::string result;
    for (const auto& each : steps_)
        if (each.words.front() == name)
            result += "\n  there is " + each.text + " in " + place(each.number);
    return result;
}

std::vector<std::string> named_steps::unused() const
{
    std::vector<std::string> result;
    for (const auto& each : steps_)
        if (!each.is_used)
            result.push_back(place(each.number) + ": " + each.text);
    return result;
}

} // namespace coworker::test
