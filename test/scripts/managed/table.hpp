#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

/// The tests of a `.test` file, as FORMAT.md describes them.
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
    std::optional<database> state{}; ///< none: unchanged
};

/// Reads a file. Throws, with the place in the file, what is wrong with it.
std::vector<table_test> read_table(const std::string& file);

} // namespace coworker::test
