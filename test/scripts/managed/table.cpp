// SPDX-License-Identifier: MIT
#include "table.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace coworker::test {
namespace {

/// Adds a line such as `ql:queues zset [["q", "100"]]`; keys may contain blanks.
void add_key(database& to, const std::string& line)
{
    auto at = line.ends_with(" none") ? line.size() - 5 : line.npos;
    for (const auto* type : {" hash {", " fields {", " list [", " set [", " zset [", " string \""})
        at = std::min(at, line.find(type));
    if (at == line.npos)
        throw std::runtime_error{"not a key, its type and its content: " + line};
    const auto key = line.substr(0, at);
    if (!to.empty() && to.rbegin()->first >= key)
        throw std::runtime_error{"out of order: " + key};
    to.emplace(key, line.substr(at + 1));
}

/// Takes a file apart, line by line.
class table_reader
{
public:
    explicit table_reader(std::string file) : file_{std::move(file)} {}

    std::vector<table_test> read()
    {
        std::ifstream lines{file_};
        if (!lines)
            throw std::runtime_error{file_ + ": cannot be read"};
        try {
            for (std::string line; std::getline(lines, line);) {
                ++line_;
                add(line);
            }
            end_block();
        } catch (const std::runtime_error& error) {
            throw std::runtime_error{file_ + ':' + std::to_string(line_) + ": " + error.what()};
        }
        return std::move(tests_);
    }

private:
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
    }

    void begin_setup(const std::string& name)
    {
        if (in_test_ || setup_)
            throw std::runtime_error{"no empty line in front of a setup"};
        const auto [setup, is_new] = setups_.try_emplace(name);
        if (!is_new)
            throw std::runtime_error{"a second setup " + name};
        setup_ = &setup->second;
    }

    void end_block()
    {
        setup_ = nullptr;
        if (!in_test_)
            return;
        in_test_ = false;
        const auto& test = tests_.back();
        if (!has("answers:") || has("reply:") || has("messages:") || has("changes:"))
            for (const auto* needed : {"when:", "reply:"})
                if (!has(needed))
                    throw std::runtime_error{test.name + " has no section " + needed};
        if ((has("answers:") && test.answers.empty()) || (has("when:") && test.when.name.empty()) ||
            (has("reply:") && test.reply.empty()))
            throw std::runtime_error{test.name + " has an empty section"};
    }

    bool has(const std::string& section) const
    {
        return std::find(sections_.begin(), sections_.end(), section) != sections_.end();
    }

    void begin_section(std::string name)
    {
        if (name.starts_with("given: ")) {
            const auto setup = setups_.find(name.substr(7));
            if (setup == setups_.end())
                throw std::runtime_error{"no setup in front of this: " + name};
            tests_.back().given = setup->second;
            name = "given:";
        }
        constexpr std::string_view known[] = {
            "given:", "answers:", "when:", "reply:", "messages:", "changes:"};
        if (std::find(std::begin(known), std::end(known), name) == std::end(known))
            throw std::runtime_error{"unknown section " + name};
        if (has(name))
            throw std::runtime_error{"a second section " + name};
        sections_.push_back(std::move(name));
    }

    void add_content(const std::string& line)
    {
        auto& test = tests_.back();
        const std::string section = sections_.empty() ? "" : sections_.back();
        if (section == "given:")
            test.given.push_back(parse_call(line));
        else if (section == "answers:")
            test.answers.push_back(parse_row(line, line_));
        else if (section == "when:" && test.when.name.empty())
            test.when = parse_call(line);
        else if (section == "reply:" && test.reply.empty())
            test.reply = line;
        else if (section == "messages:")
            test.messages.push_back(line);
        else if (section == "changes:")
            add_key(test.changes, line);
        else
            throw std::runtime_error{"a line too many: " + line};
    }

    std::string file_;
    std::size_t line_ = 0;
    bool in_test_ = false;
    std::map<std::string, std::vector<table_call>> setups_;
    std::vector<table_call>* setup_ = nullptr; ///< the one that is being read
    std::vector<std::string> sections_;        ///< seen in the present test
    std::vector<table_test> tests_;
};

} // namespace

table_row parse_row(std::string_view text, std::size_t line)
{
    constexpr std::string_view arrow = " => ";
    const auto at = text.find(arrow);
    if (at == text.npos)
        throw std::runtime_error{"no => behind the call: " + std::string{text}};
    return {line, parse_call(text.substr(0, at)), std::string{text.substr(at + arrow.size())}};
}

std::vector<table_test> read_table(const std::string& file)
{
    return table_reader{file}.read();
}

} // namespace coworker::test
