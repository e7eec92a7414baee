#include "coworker/command_line.hpp"
#include "coworker/command_model.hpp"

#include <sstream>

/// coworker completion, coworker man
namespace coworker::cli {
namespace {

exit_code write(const std::string& text, output& out)
{
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);)
        out.line(line);
    return exit_code::done;
}

exit_code write_completion(const command_line& line, const std::string& shell, output& out)
{
    const auto program = model_of(line.app());
    return write(shell == "bash"  ? bash_completion(program)
                 : shell == "zsh" ? zsh_completion(program)
                                  : fish_completion(program),
                 out);
}

} // namespace

void add_completion(command_line& line)
{
    const auto shell = std::make_shared<std::string>();
    line.add_plain("completion",
                   "Write a script that completes coworker's commands, options and values in a shell.",
                   "  coworker completion bash > ~/.local/share/bash-completion/completions/coworker\n"
                   "  coworker completion zsh > ~/.zfunc/_coworker\n"
                   "  coworker completion fish > ~/.config/fish/completions/coworker.fish",
                   [&line, shell](surroundings& here) { return write_completion(line, *shell, here.out); })
        .add_option("SHELL", *shell, "Which shell")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

void add_man(command_line& line)
{
    line.add_plain("man", "Write the manual page.",
                   "  coworker man | man -l -\n"
                   "  coworker man > ~/.local/share/man/man1/coworker.1",
                   [&line](surroundings& here) {
                       return write(manual_page(model_of(line.app()), line.version()), here.out);
                   });
}

} // namespace coworker::cli
