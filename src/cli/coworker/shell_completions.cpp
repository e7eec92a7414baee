#include "coworker/command_model.hpp"

namespace coworker::cli {
namespace {

/// In single quotes, for any shell.
std::string quoted(const std::string& text)
{
    std::string result = "'";
    for (const char letter : text)
        if (letter == '\'')
            result += "'\\''";
        else
            result += letter;
    return result + "'";
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& word : words) {
        if (!text.empty())
            text += ' ';
        text += word;
    }
    return text;
}

std::string all_options(const command_model& command)
{
    std::string text;
    for (const auto& option : command.options) {
        text += joined(option.names);
        text += ' ';
    }
    if (!text.empty())
        text.pop_back();
    return text;
}

/// What can stand behind an option, or in place of a positional argument, as a line of bash.
std::string bash_values(const option_model& option)
{
    if (!option.choices.empty())
        return "COMPREPLY=($(compgen -W " + quoted(joined(option.choices)) + " -- \"$word\"))";
    if (option.value == "DIR")
        return "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$word\"))";
    if (option.takes_file())
        return "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\"))";
    return "COMPREPLY=()";
}

constexpr const char* bash_begin = R"(# Completions of coworker for bash. Made by 'coworker completion bash'.
_coworker()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command='' given i
    # Bash takes --option=value apart.
    if [[ $word == = ]]; then
        word=''
    elif [[ $before == = && $COMP_CWORD -gt 1 ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        given=${COMP_WORDS[i]}
        if [[ $given == -- ]]; then
            # Somebody else's command: its name, then its files.
            compopt -o filenames
            if ((i + 1 == COMP_CWORD)); then
                COMPREPLY=($(compgen -c -- "$word"))
            else
                COMPREPLY=($(compgen -f -- "$word"))
            fi
            return
        fi
        [[ -z $command && $given != -* ]] && command=$given
    done
    COMPREPLY=()
    case "$command $before" in
)";

constexpr const char* bash_end = R"(    esac
}
complete -F _coworker coworker
)";

std::string zsh_text(const std::string& text)
{
    std::string result;
    for (const char letter : text) {
        if (letter == '[' || letter == ']' || letter == ':' || letter == '\\')
            result += '\\';
        result += letter;
    }
    return result;
}

std::string zsh_values(const option_model& option)
{
    auto text = ':' + zsh_text(option.value) + ':';
    if (!option.choices.empty())
        text += '(' + joined(option.choices) + ')';
    else if (option.value == "DIR")
        text += "_directories";
    else if (option.takes_file())
        text += "_files";
    return text;
}

std::string zsh_arguments(const command_model& command)
{
    std::string text;
    const auto add = [&](const std::string& specification) {
        text += " \\\n                ";
        text += quoted(specification);
    };
    for (const auto& option : command.options)
        for (const auto& name : option.names)
            add((option.repeated ? "*" : "") + name + (option.value.empty() || name[1] != '-' ? "" : "=") +
                '[' + zsh_text(first_sentence(option.description)) + ']' +
                (option.value.empty() ? "" : zsh_values(option)));
    for (const auto& option : command.positionals)
        add((option.repeated ? "*" : option.required ? "" : ":") + zsh_values(option));
    return text;
}

} // namespace

std::string bash_completion(const program_model& program)
{
    std::string text = bash_begin;
    for (const auto& command : program.commands)
        for (const auto& option : command.options)
            if (!option.value.empty()) {
                std::string patterns;
                for (const auto& name : option.names) {
                    patterns += patterns.empty() ? "" : " | ";
                    patterns += quoted(command.name + ' ' + name);
                }
                text += "    " + patterns + ") " + bash_values(option) + "; return ;;\n";
            }
    text += "    esac\n    case $command in\n";
    std::string names;
    for (const auto& command : program.commands)
        names += command.name + ' ';
    text += "    '') COMPREPLY=($(compgen -W " + quoted(names + all_options(program.itself)) +
            " -- \"$word\")) ;;\n";
    for (const auto& command : program.commands) {
        text += "    " + quoted(command.name) +
                ")\n        if [[ $word == -* ]]; then\n            COMPREPLY=($(compgen -W " +
                quoted(all_options(command)) + " -- \"$word\"))\n";
        for (const auto& option : command.positionals)
            if (option.takes_file() || !option.choices.empty())
                text += "        else\n            " + bash_values(option) + '\n';
        text += "        fi ;;\n";
    }
    return text + bash_end;
}

std::string zsh_completion(const program_model& program)
{
    std::string text =
        "#compdef coworker\n# Completions of coworker for zsh. Made by 'coworker completion zsh'.\n"
        "_coworker()\n{\n    local context state state_descr line\n    typeset -A opt_args\n"
        "    local -a commands\n    commands=(\n";
    for (const auto& command : program.commands)
        text +=
            "        " + quoted(command.name + ':' + zsh_text(first_sentence(command.description))) + '\n';
    text += "    )\n    _arguments -C " + quoted("(- *)--help[Print the help and exit]") + ' ' +
            quoted("(- *)--version[Print the version and exit]") +
            " '1:command:->command' '*::argument:->arguments'\n    case $state in\n    command)\n"
            "        _describe command commands ;;\n    arguments)\n        case $words[1] in\n";
    for (const auto& command : program.commands)
        text += "        " + command.name + ")\n            _arguments" + zsh_arguments(command) + " ;;\n";
    return text + "        esac ;;\n    esac\n}\n_coworker \"$@\"\n";
}

std::string fish_completion(const program_model& program)
{
    std::string text = "# Completions of coworker for fish. Made by 'coworker completion fish'.\n"
                       "complete -c coworker -f\n";
    const std::string none = "complete -c coworker -n __fish_use_subcommand ";
    text += none + "-l help -d 'Print the help and exit'\n" + none +
            "-l version -d 'Print the version and exit'\n";
    for (const auto& command : program.commands) {
        text += none + "-a " + command.name + " -d " + quoted(first_sentence(command.description)) + '\n';
        const auto seen = "complete -c coworker -n " + quoted("__fish_seen_subcommand_from " + command.name);
        for (const auto& option : command.options) {
            text += seen;
            for (const auto& name : option.names)
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!option.value.empty())
                text += option.takes_file() ? " -r -F" : " -x";
            if (!option.choices.empty())
                text += " -a " + quoted(joined(option.choices));
            text += " -d " + quoted(first_sentence(option.description)) + '\n';
        }
        for (const auto& option : command.positionals)
            if (option.takes_file())
                text += seen + " -F\n";
            else if (!option.choices.empty())
                text += seen + " -a " + quoted(joined(option.choices)) + '\n';
    }
    return text;
}

} // namespace coworker::cli
