#include "table.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string_view>

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

/// Adds a line such as `ql:queues zset [["q", "100"]]`; keys may contain blanks.
void add_key(database& to, const std::string& line)
{
    auto at = line.npos;
    for (const auto* type : {" hash {", " list [", " set [", " zset [", " string \""})
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
            end_test();
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
            end_test();
        else if (line.starts_with("test: "))
            begin_test(line.substr(6));
        else if (!in_test_)
            throw std::runtime_error{"outside of a test: " + line};
        else if (line.starts_with("  "))
            add_content(line.substr(2));
        else
            begin_section(line);
    }

    void begin_test(std::string name)
    {
        if (in_test_)
            throw std::runtime_error{"no empty line between two tests"};
        in_test_ = true;
        tests_.push_back({.file = file_, .line = line_, .name = std::move(name)});
        sections_.clear();
    }

    void end_test()
    {
        if (!in_test_)
            return;
        in_test_ = false;
        for (const auto* needed : {"when:", "reply:", "state:"})
            if (std::find(sections_.begin(), sections_.end(), needed) == sections_.end())
                throw std::runtime_error{tests_.back().name + " has no section " + needed};
        if (tests_.back().when.name.empty() || tests_.back().reply.empty())
            throw std::runtime_error{tests_.back().name + " has an empty section"};
    }

    void begin_section(std::string name)
    {
        const bool unchanged = name == "state: unchanged";
        if (unchanged)
            name = "state:";
        constexpr std::string_view known[] = {"given:", "when:", "reply:", "messages:", "state:"};
        if (std::find(std::begin(known), std::end(known), name) == std::end(known))
            throw std::runtime_error{"unknown section " + name};
        if (std::find(sections_.begin(), sections_.end(), name) != sections_.end())
            throw std::runtime_error{"a second section " + name};
        if (name == "state:" && !unchanged)
            tests_.back().state.emplace();
        sections_.push_back(std::move(name));
    }

    void add_content(const std::string& line)
    {
        auto& test = tests_.back();
        const std::string section = sections_.empty() ? "" : sections_.back();
        if (section == "given:")
            test.given.push_back(parse_call(line));
        else if (section == "when:" && test.when.name.empty())
            test.when = parse_call(line);
        else if (section == "reply:" && test.reply.empty())
            test.reply = line;
        else if (section == "messages:")
            test.messages.push_back(line);
        else if (section == "state:" && test.state)
            add_key(*test.state, line);
        else
            throw std::runtime_error{"a line too many: " + line};
    }

    std::string file_;
    std::size_t line_ = 0;
    bool in_test_ = false;
    std::vector<std::string> sections_; ///< seen in the present test
    std::vector<table_test> tests_;
};

} // namespace

std::vector<table_test> read_table(const std::string& file)
{
    return table_reader{file}.read();
}

} // namespace coworker::test
