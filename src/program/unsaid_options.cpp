// SPDX-License-Identifier: MIT
#include "program/unsaid_options.hpp"

#include "program/exit_code.hpp"
#include "program/nearest_word.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <utility>

namespace coworker::program {
namespace {

/// Options that say something of this call alone.
bool is_for_one_call(const std::string& name)
{
    return name == "help" || name == "help-all" || name == "version" || name == "config";
}

/// Of a command, those with a name that begins with dashes, without these.
std::vector<std::string> option_names(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const auto* option : command.get_options())
        for (const auto& name : option->get_lnames())
            if (!is_for_one_call(name))
                names.push_back(name);
    return names;
}

/// "--name VALUE" or "--name=VALUE" among the words.
bool is_said(std::span<const char* const> words, const std::string& option)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return word == option || word.starts_with(option + '=');
    });
}

/// The value of an option among the words; empty: it is not there.
std::string value_said(std::span<const char* const> words, const std::string& option)
{
    for (std::size_t i = 0; i != words.size(); ++i) {
        const std::string_view word{words[i]};
        if (word.starts_with(option + '='))
            return std::string{word.substr(option.size() + 1)};
        if (word == option && i + 1 != words.size())
            return words[i + 1];
    }
    return {};
}

std::vector<CLI::ConfigItem> read_file(const std::string& name)
{
    try {
        return CLI::ConfigTOML{}.from_file(name);
    } catch (const CLI::Error&) {
        throw failure{exit_code::usage, "the file of settings '" + name + "' cannot be read"};
    }
}

/// Null: there is none.
const CLI::App* find_command(const CLI::App& whole, const std::string& name)
{
    const auto found = whole.get_subcommands([&](const CLI::App* each) { return each->get_name() == name; });
    return found.empty() ? nullptr : found.front();
}

/// Throws if a line of a file sets what no command takes.
void check(const CLI::ConfigItem& line, const CLI::App& whole, const std::string& file)
{
    const auto refuse = [&](const std::string& why) {
        throw failure{exit_code::usage,
                      "the file of settings '" + file + "' sets '" + line.fullname() + "', " + why};
    };
    const auto* command = &whole;
    if (!line.parents.empty()) {
        command = find_command(whole, line.parents.front());
        if (command == nullptr || line.parents.size() != 1)
            refuse("but there is no command '" + line.parents.front() + '\'');
    }
    const auto names = option_names(*command);
    if (std::find(names.begin(), names.end(), line.name) != names.end())
        return;
    const auto near = nearest_word(line.name, names);
    refuse("which is no option" + (near.empty() ? near : "; did you mean '" + near + "'?"));
}

} // namespace

std::string variable_of(std::string_view command, std::string_view option)
{
    std::string name = "COWORKER_";
    if (!command.empty())
        name += std::string{command} + '_';
    name += option;
    for (auto& letter : name)
        letter = letter == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return name;
}

std::string unsaid_options::source_of(std::string_view complaint) const
{
    for (const auto& [option, who] : sources)
        if (complaint.find(option) != complaint.npos)
            return who;
    return {};
}

unsaid_options find_unsaid_options(const CLI::App& whole, const std::string& command,
                                   std::span<const char* const> said, const environment& variables)
{
    unsaid_options found;
    const auto common = option_names(whole);
    const auto is_common = [&](const std::string& name) {
        return std::find(common.begin(), common.end(), name) != common.end();
    };
    const auto add = [&](const std::string& name, const std::string& value, const std::string& who) {
        const auto option = "--" + name;
        const auto [known, is_new] = found.sources.emplace(option, who);
        if (!is_said(said, option) && (is_new || known->second == who))
            found.words.push_back(option + '=' + value);
    };
    std::vector<std::string> said_elsewhere;
    const auto& own = *find_command(whole, command);
    for (const auto& name : option_names(own)) {
        const auto variable = variable_of(is_common(name) ? "" : command, name);
        const auto value = variables(variable);
        if (value.empty())
            continue;
        if (name.starts_with("redis")) // `server_settings` has it, and says so where it is wrong
            said_elsewhere.push_back(name);
        else
            add(name, value, variable);
    }
    auto file = value_said(said, "--config");
    if (file.empty())
        file = variables("COWORKER_CONFIG");
    if (file.empty())
        return found;
    for (const auto& line : read_file(file)) {
        if (line.name == "++" || line.name == "--") // where a section begins and ends
            continue;
        check(line, whole, file);
        const bool is_said_elsewhere =
            std::find(said_elsewhere.begin(), said_elsewhere.end(), line.name) != said_elsewhere.end();
        if (!is_said_elsewhere && (line.parents.empty() || line.parents.front() == command))
            for (const auto& value : line.inputs)
                add(line.name, value, "the file '" + file + '\'');
    }
    return found;
}

} // namespace coworker::program
