// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

/// What a command reads from its command line. Declared here, so that only options.cpp and
/// command_line.cpp compile CLI11.
namespace coworker::program {

/// An option that was declared; what is called here says more of it.
class command_option
{
public:
    explicit command_option(CLI::Option& option) : option_{&option} {}

    /// What its value is called in the help: "TIME".
    command_option& value_name(const std::string& name);
    /// The help shows the value that the variable has now.
    command_option& with_default();
    /// The help shows this as the value when none is given.
    command_option& with_default(const std::string& text);

    command_option& required();
    /// The value may be left out, which means this one.
    command_option& optional_value(const std::string& text);
    command_option& one_of(std::vector<std::string> values);
    command_option& between(std::integral auto least, std::integral auto most)
    {
        return between_whole(least, most);
    }
    command_option& between(double least, double most);
    command_option& not_empty();
    command_option& existing_file();
    /// Of a list: how values in one word are separated.
    command_option& separated_by(char letter);
    /// Of a list: each value has the option's name before it.
    command_option& one_at_a_time();
    command_option& needs(const command_option& other);
    command_option& excludes(const command_option& other);

private:
    command_option& between_whole(std::int64_t least, std::int64_t most);

    CLI::Option* option_;
};

/// Declares the options of a command. A name without dashes is that of an argument, given by its place.
///
/// @par Lifetime  The variables must live until the command line has been read.
class command_options
{
public:
    explicit command_options(CLI::App& app) : app_{&app} {}

    command_option add_option(const std::string& name, std::string& value, const std::string& description);
    command_option add_option(const std::string& name, std::vector<std::string>& values,
                              const std::string& description);
    command_option add_option(const std::string& name, std::vector<int>& values,
                              const std::string& description);
    command_option add_option(const std::string& name, unsigned& value, const std::string& description);
    command_option add_option(const std::string& name, std::size_t& value, const std::string& description);
    command_option add_option(const std::string& name, double& value, const std::string& description);
    command_option add_option(const std::string& name, std::optional<double>& value,
                              const std::string& description);
    /// Calls a function with the value.
    command_option add_option(const std::string& name, std::function<void(const std::string&)> take,
                              const std::string& description);
    void add_flag(const std::string& name, bool& value, const std::string& description);

private:
    CLI::App* app_;
};

} // namespace coworker::program
