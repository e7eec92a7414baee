// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What the tables hold, as README.md describes them.
namespace coworker::test {

class named_steps;

/// A call of a script, or a command of Redis.
struct table_call
{
    std::string name;
    std::vector<std::string> arguments{};
    std::vector<std::string> keys{}; ///< beside the prefix

    /// Commands of Redis are written in capital letters.
    bool is_command() const noexcept { return name.front() >= 'A' && name.front() <= 'Z'; }
};

/// Key -> type, blank, content as JSON.
using database = std::map<std::string, std::string>;

/// A line `call => reply`.
struct table_row
{
    std::size_t line = 0;
    table_call call{};
    std::string reply{};
};

/// `channel text`, and the place that says so: with a named step's line, that of its use, too.
struct table_message
{
    std::string text;
    std::string place;
};

/// What becomes of a key: `type content`, or one of the forms of changes.
struct table_change
{
    std::string key;
    std::string content;
    std::string place{};
};

/// What a call does beside its reply.
struct table_outcome
{
    std::vector<table_message> messages{};
    std::vector<table_change> changes{}; ///< one is made after the other
};

struct table_test
{
    std::string file;
    std::size_t line = 0;
    std::string name;
    std::vector<table_call> given{};
    std::vector<table_row> answers{}; ///< of calls that change nothing
    table_row when{};                 ///< its call has no name if there is none
    table_outcome outcome{};
};

/// A call, as it stands in one line. Throws what is wrong with it.
table_call parse_call(std::string_view line);

/// A call and its reply, as they stand in one line. Throws if there is no ` => ` between them.
table_row parse_row(std::string_view text, std::size_t line);

/// A line such as `ql:queues zset [["q", "100"]]`; keys may contain blanks. Throws if it is none.
table_change parse_change(const std::string& line);

/// Reads what a `.test` file holds. Throws, with the place in the file, what is wrong with it.
std::vector<table_test> read_table(std::istream& lines, const std::string& file, named_steps& steps);

/// Calls that are refused in one and the same state.
struct refusal_group
{
    std::vector<table_call> given{};
    std::vector<table_row> refusals{};
};

/// Reads a `.table` file. Throws, with the place in the file, what is wrong with it.
std::vector<refusal_group> read_refusals(const std::string& file);

} // namespace coworker::test
