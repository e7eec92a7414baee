// SPDX-License-Identifier: MIT
#include "table.hpp"
#include "named_steps.hpp"

#include <algorithm>
#include <istream>
#include <set>
#include <stdexcept>
#include <string_view>

namespace coworker::test {
namespace {

/// Takes a file apart, line by line.
class table_reader
{
public:
    table_reader(std::string file, named_steps& steps) : file_{std::move(file)}, steps_{steps} {}

    std::vector<table_test> read(std::istream& lines)
    {
        try {
            for (std::string line; std::getline(lines, line);) {
                ++line_;
                add(line);
            }
            end_block();
            if (!unused_setups_.empty())
                throw std::runtime_error{"no test uses the setup " + *unused_setups_.begin()};
        } catch (const std::runtime_error& error) {
            throw std::runtime_error{place() + ": " + error.what()};
        }
        return std::move(tests_);
    }

private:
    std::string place() const { return file_ + ':' + std::to_string(line_); }

    void add(const std::string& line)
    {
        if (line.starts_with('#'))
            return;
        if (line.empty())
            end_block();
        else if (line.starts_with("test: "))
            begin_test(line.substr(6));
        else if (line.starts_with("setup: "))
            begin_setup(line.substr(7));
        else if (!setup_ && !in_test_)
            throw std::runtime_error{"outside of a test: " + line};
        else if (line.starts_with("  "))
            setup_ ? setup_->push_back(parse_call(line.substr(2))) : add_content(line.substr(2));
        else
            begin_section(line);
    }

    void begin_test(std::string name)
    {
        if (in_test_ || setup_)
            throw std::runtime_error{"no empty line in front of a test"};
        in_test_ = true;
        tests_.push_back({.file = file_, .line = line_, .name = std::move(name)});
        sections_.clear();
        last_key_.clear();
    }

    void begin_setup(const std::string& name)
    {
        if (in_test_ || setup_)
            throw std::runtime_error{"no empty line in front of a setup"};
        const auto [setup, is_new] = setups_.try_emplace(name);
        if (!is_new)
            throw std::runtime_error{"a second setup " + name};
        setup_ = &setup->second;
        unused_setups_.insert(name);
    }

    void end_block()
    {
        setup_ = nullptr;
        if (!in_test_)
            return;
        in_test_ = false;
        const auto& test = tests_.back();
        if (!has("when:") && (!has("answers:") || has("then:") || has("messages:") || has("changes:")))
            throw std::runtime_error{test.name + " has no section when:"};
        if (has("answers:") && test.answers.empty())
            throw std::runtime_error{test.name + " has an empty section"};
    }

    bool has(const std::string& section) const
    {
        return std::find(sections_.begin(), sections_.end(), section) != sections_.end();
    }

    /// `name:`, or `name: text`.
    void begin_section(const std::string& line)
    {
        const auto end = std::min(line.find(": "), line.size());
        const auto name = line.substr(0, end) + (end < line.size() ? ":" : "");
        const auto text = line.substr(std::min(end + 2, line.size()));
        constexpr std::string_view with_text[] = {"given:", "when:", "then:"};
        constexpr std::string_view without[] = {"given:", "answers:", "messages:", "changes:"};
        const auto is_one_of = [&](const auto& names) {
            return std::find(std::begin(names), std::end(names), name) != std::end(names);
        };
        if (text.empty() ? !is_one_of(without) : !is_one_of(with_text))
            throw std::runtime_error{"unknown section " + line};
        if (has(name) && name != "then:")
            throw std::runtime_error{"a second section " + name};
        sections_.push_back(name);
        if (!text.empty())
            add_text(name, text);
    }

    void add_text(const std::string& section, const std::string& text)
    {
        auto& test = tests_.back();
        if (section == "when:") {
            test.when = parse_row(text, line_);
        } else if (section == "then:") {
            if (has("messages:") || has("changes:"))
                throw std::runtime_error{"then: stands behind messages or changes"};
            steps_.add(test.outcome, text, place());
        } else {
            const auto setup = setups_.find(text);
            if (setup == setups_.end())
                throw std::runtime_error{"no setup in front of this: " + text};
            test.given = setup->second;
            unused_setups_.erase(text);
        }
    }

    void add_content(const std::string& line)
    {
        auto& test = tests_.back();
        const std::string section = sections_.empty() ? "" : sections_.back();
        if (section == "given:")
            test.given.push_back(parse_call(line));
        else if (section == "answers:")
            test.answers.push_back(parse_row(line, line_));
        else if (section == "messages:")
            test.outcome.messages.push_back({line, place()});
        else if (section == "changes:")
            add_change(line);
        else
            throw std::runtime_error{"a line too many: " + line};
    }

    void add_change(const std::string& line)
    {
        auto change = parse_change(line);
        change.place = place();
        if (change.key <= last_key_)
            throw std::runtime_error{"out of order: " + change.key};
        last_key_ = change.key;
        tests_.back().outcome.changes.push_back(std::move(change));
    }

    std::string file_;
    std::size_t line_ = 0;
    named_steps& steps_;
    bool in_test_ = false;
    std::map<std::string, std::vector<table_call>> setups_;
    std::set<std::string> unused_setups_;
    std::vector<table_call>* setup_ = nullptr; ///< the one that is being read
    std::vector<std::string> sections_;        ///< seen in the present test
    std::string last_key_;                     ///< of its changes
    std::vector<table_test> tests_;
};

} // namespace

table_row parse_row(std::string_view text, std::size_t line)
{
    constexpr std::string_view arrow = " => ";
    const auto at = text.find(arrow);
    if (at == text.npos)
        throw std::runtime_error{"no => behind the call: " + std::string{text}};
    if (at + arrow.size() == text.size())
        throw std::runtime_error{"no reply behind the call: " + std::string{text}};
    return {line, parse_call(text.substr(0, at)), std::string{text.substr(at + arrow.size())}};
}

table_change parse_change(const std::string& line)
{
    auto at = line.ends_with(" none") ? line.size() - 5 : line.npos;
    for (const auto* form :
         {" hash {", " fields {", " list [", " more [", " set [", " zset [", " scores {", " string \""})
        at = std::min(at, line.find(form));
    if (at == line.npos)
        throw std::runtime_error{"not a key, its type and its content: " + line};
    return {line.substr(0, at), line.substr(at + 1)};
}

std::vector<table_test> read_table(std::istream& lines, const std::string& file, named_steps& steps)
{
    return table_reader{file, steps}.read(lines);
}

} // namespace coworker::test
