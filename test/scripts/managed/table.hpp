// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What the tables hold, as README.md describes them.
namespace coworker::test {

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

/// A line `call => reply`: a call that changes nothing.
struct table_row
{
    std::size_t line = 0;
    table_call call{};
    std::string reply{};
};

struct table_test
{
    std::string file;
    std::size_t line = 0;
    std::string name;
    std::vector<table_call> given{};
    std::vector<table_row> answers{};
    table_call when{}; ///< without a name if there is none
    std::string reply{};
    std::vector<std::string> messages{};
    database changes{}; ///< of the state before: also `none` and `fields {...}`
};

/// A call, as it stands in one line. Throws what is wrong with it.
table_call parse_call(std::string_view line);

/// A call and its reply, as they stand in one line. Throws if there is no ` => ` between them.
table_row parse_row(std::string_view text, std::size_t line);

/// Reads a `.test` file. Throws, with the place in the file, what is wrong with it.
std::vector<table_test> read_table(const std::string& file);

/// Calls that are refused in one and the same state.
struct refusal_group
{
    std::vector<table_call> given{};
    std::vector<table_row> refusals{};
};

/// Reads a `.table` file. Throws, with the place in the file, what is wrong with it.
std::vector<refusal_group> read_refusals(const std::string& file);

} // namespace coworker::test
