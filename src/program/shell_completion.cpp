// SPDX-License-Identifier: MIT
#include "program/shell_completion.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace coworker::program {
namespace {

using described_command = const CLI::App*;

std::vector<described_command> commands_of(const CLI::App& whole)
{
    return whole.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> options_of(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const auto* option : command.get_options())
        for (const auto& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

/// The words, with a space before each.
std::string spaced(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& word : words)
        text += ' ' + word;
    return text;
}

/// Where neither a command nor an option stands, names of files are completed.
std::string for_bash(const CLI::App& whole)
{
    std::string names, options;
    for (const auto command : commands_of(whole)) {
        names += ' ' + command->get_name();
        options += "    " + command->get_name() + ") words='" + spaced(options_of(*command)) + "' ;;\n";
    }
    return "_coworker() {\n"
           "  local word=${COMP_WORDS[COMP_CWORD]} words='' i\n"
           "  COMPREPLY=()\n"
           "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
           "    [ \"${COMP_WORDS[i]}\" != -- ] || return 0\n"
           "  done\n"
           "  case ${COMP_WORDS[1]} in\n" +
           options +
           "  esac\n"
           "  if ((COMP_CWORD == 1)); then\n"
           "    words='" +
           names + spaced(options_of(whole)) +
           "'\n"
           "  elif [[ $word != -* ]]; then\n"
           "    return 0\n"
           "  fi\n"
           "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "}\n"
           "complete -o default -F _coworker coworker\n";
}

/// zsh reads what is made for bash.
std::string for_zsh(const CLI::App& whole)
{
    return "#compdef coworker\n"
           "autoload -U +X bashcompinit && bashcompinit\n" +
           for_bash(whole);
}

/// A text between apostrophes, as fish reads it.
std::string fish_quoted(const std::string& text)
{
    std::string quoted = "'";
    for (const char letter : text) {
        if (letter == '\'' || letter == '\\')
            quoted += '\\';
        quoted += letter;
    }
    return quoted + '\'';
}

std::string for_fish(const CLI::App& whole)
{
    std::string text;
    for (const auto command : commands_of(whole)) {
        const auto& name = command->get_name();
        text += "complete -c coworker -n __fish_use_subcommand -a " + name + " -d " +
                fish_quoted(command->get_description()) + '\n';
        for (const auto* option : command->get_options())
            for (const auto& word : option->get_lnames())
                text += "complete -c coworker -n '__fish_seen_subcommand_from " + name + "' -l " + word +
                        " -d " + fish_quoted(option->get_description()) + '\n';
    }
    return text;
}

struct known_shell
{
    const char* name;
    std::string (*completion)(const CLI::App& whole);
};

constexpr known_shell known_shells[] = {{"bash", for_bash}, {"fish", for_fish}, {"zsh", for_zsh}};

} // namespace

std::vector<std::string> shells_with_completion()
{
    std::vector<std::string> names;
    for (const auto& shell : known_shells)
        names.emplace_back(shell.name);
    return names;
}

std::string shell_completion(const CLI::App& whole, const std::string& shell)
{
    for (const auto& known : known_shells)
        if (shell == known.name)
            return known.completion(whole);
    return {};
}

} // namespace coworker::program
