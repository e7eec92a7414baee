#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

/// The commands and options of the program, as completions and the manual page need them: read from the definitions
/// that the command line itself is read with.
namespace coworker::cli {

struct option_model
{
    std::vector<std::string> names; ///< with their dashes; of a positional one its name
    std::string value;              ///< what it is called, such as TIME; empty: a flag
    std::vector<std::string> choices;
    std::string description;
    std::string by_default;
    bool required = false;
    bool repeated = false;

    bool takes_file() const { return value == "FILE" || value == "DIR"; }
};

struct command_model
{
    std::string name;
    std::string description;
    std::string footer;
    std::vector<option_model> options, positionals;
};

struct program_model
{
    command_model itself;
    std::vector<command_model> commands;
};

program_model model_of(const CLI::App& app);

/// Up to the end of the first sentence, on one line.
std::string first_sentence(const std::string& text);

// Scripts for shells, and a page for man.
std::string bash_completion(const program_model& program);
std::string zsh_completion(const program_model& program);
std::string fish_completion(const program_model& program);
std::string manual_page(const program_model& program, const std::string& version);

} // namespace coworker::cli
