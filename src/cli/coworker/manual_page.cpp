#include "coworker/command_model.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace coworker::cli {
namespace {

/// Text that roff shows as it is.
std::string shown(const std::string& text)
{
    std::string result;
    bool at_begin = true;
    for (const char letter : text) {
        if (at_begin && (letter == '.' || letter == '\''))
            result += "\\&";
        if (letter == '\\')
            result += "\\e";
        else if (letter == '-')
            result += "\\-";
        else
            result += letter;
        at_begin = letter == '\n';
    }
    return result;
}

/// The same in an argument of a macro.
std::string argument(const std::string& text)
{
    std::string result = "\"";
    for (const char letter : shown(text)) {
        if (letter == '"')
            result += '"';
        result += letter;
    }
    return result + '"';
}

std::string bold(const std::string& text)
{
    return "\\fB" + shown(text) + "\\fR";
}

std::string italic(const std::string& text)
{
    return "\\fI" + shown(text) + "\\fR";
}

/// Paragraphs, of which each line is one.
std::string paragraphs(const std::string& text)
{
    std::string result;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);)
        if (!line.empty())
            result += (result.empty() ? "" : ".PP\n") + shown(line) + '\n';
    return result;
}

/// Lines as they are.
std::string block(const std::string& text)
{
    return ".RS 4\n.nf\n" + shown(text) + "\n.fi\n.RE\n";
}

std::string usage(const command_model& command)
{
    auto text = bold("coworker " + command.name);
    for (const auto& option : command.positionals) {
        const auto name = italic(option.names.front()) + (option.repeated ? "..." : "");
        text += option.required ? ' ' + name : " [" + name + ']';
    }
    return text + " [" + italic("OPTION") + "...]" +
           (command.name == "work" ? " \\-\\- " + italic("COMMAND") + " [" + italic("ARG") + "...]" : "");
}

std::string described(const option_model& option)
{
    std::string names;
    for (const auto& name : option.names)
        names += (names.empty() ? "" : ", ") + bold(name);
    auto text = ".TP\n" + names;
    const bool is_named = option.names.front().starts_with('-');
    if (is_named && !option.value.empty())
        text += ' ' + italic(option.value);
    text += '\n' + shown(option.description) + ".\n";
    if (!option.choices.empty()) {
        text += "One of";
        for (const auto& choice : option.choices)
            text += (choice == option.choices.front() ? " " : ", ") + bold(choice);
        text += ".\n";
    }
    if (!option.by_default.empty() && option.by_default != "\"\"" && option.by_default != "[]")
        text += "Default: " + bold(option.by_default) + ".\n";
    return text;
}

std::string section_of(const command_model& command)
{
    auto text = ".SS " + argument(command.name) + usage(command).insert(0, "\n") + '\n';
    text += ".PP\n" + paragraphs(command.description);
    for (const auto* options : {&command.positionals, &command.options})
        for (const auto& option : *options)
            if (option.names.back() != "--help" && option.names.back() != "--redis" &&
                option.names.back() != "--prefix")
                text += described(option);
    if (const auto examples = command.footer.find('\n'); examples != std::string::npos)
        text += ".PP\n" + block(command.footer.substr(examples + 1));
    return text;
}

constexpr const char* environment = R"(.SH ENVIRONMENT
.TP
\fBCOWORKER_REDIS\fR
The server, where \fB\-\-redis\fR does not name one.
.TP
\fBCOWORKER_TOKEN\fR
The token that clients of the gateway must send, where \fB\-\-token\-file\fR does not name a file with it.
.TP
\fBNO_COLOR\fR
If it is set and not empty, there are no colours.
.TP
\fBNOTIFY_SOCKET\fR, \fBWATCHDOG_USEC\fR
Set by a service manager for commands that go on for long; see \fBsd_notify\fR(3).
.SH "SEE ALSO"
\fBredis\-server\fR(1), \fBredis\-cli\fR(1), \fBsystemd.service\fR(5)
)";

} // namespace

std::string manual_page(const program_model& program, const std::string& version)
{
    auto text =
        ".\\\" Made by 'coworker man'.\n.TH COWORKER 1 \"\" " + argument("coworker " + version) +
        " \"User Commands\"\n.SH NAME\ncoworker \\- reliable background jobs in Redis\n.SH SYNOPSIS\n" +
        bold("coworker") + ' ' + italic("COMMAND") + " [" + italic("ARGUMENT") + "...]\n.SH DESCRIPTION\n" +
        paragraphs(program.itself.description);
    text += ".PP\nAll commands that speak to Redis have two options in common.\n";
    const auto push = std::find_if(program.commands.begin(), program.commands.end(),
                                   [](const command_model& command) { return command.name == "push"; });
    if (push != program.commands.end())
        for (const auto& option : push->options)
            if (option.names.back() == "--redis" || option.names.back() == "--prefix")
                text += described(option);
    text += ".SH COMMANDS\n";
    for (const auto& command : program.commands)
        text += section_of(command);
    // The footer begins with a title of its own.
    const auto& footer = program.itself.footer;
    text += ".SH \"EXIT STATUS\"\n" + block(footer.substr(std::min(footer.find('\n') + 1, footer.size())));
    return text + environment;
}

} // namespace coworker::cli
