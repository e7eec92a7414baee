// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What the tables hold, as FORMAT.md describes them.
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

struct table_test
{
    std::string file;
    std::size_t line = 0;
    std::string name;
    std::vector<table_call> given{};
    table_call when{};
    std::string reply{};
    std::vector<std::string> messages{};
    database changes{}; ///< of the state before: also `none` and `fields {...}`
};

/// A call, as it stands in one line. Throws what is wrong with it.
table_call parse_call(std::string_view line);

/// Reads a `.test` file. Throws, with the place in the file, what is wrong with it.
std::vector<table_test> read_table(const std::string& file);

/// Calls that are refused in one and the same state.
struct refusal_group
{
    struct refusal
    {
        std::size_t line = 0;
        table_call call{};
        std::string reply{}; ///< in the form of a table's
    };

    std::vector<table_call> given{};
    std::vector<refusal> refusals{};
};

/// Reads a `.table` file. Throws, with the place in the file, what is wrong with it.
std::vector<refusal_group> read_refusals(const std::string& file);

} // namespace coworker::test
