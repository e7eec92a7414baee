// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"

#include "program/build_facts.hpp"
#include "program/nearest_word.hpp"
#include "program/shell_completion.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <span>
#include <sstream>
#include <string_view>

namespace coworker::program {
namespace {

constexpr const char* introduction =
    "Looks after coworker's queues in Redis.\n\n"
    "A QUEUE is written NAME, which is a list queue, or managed:NAME, which is a managed one.";

constexpr const char* exit_codes =
    "Exit codes:\n"
    "  0  done\n"
    "  1  Redis, or anything else, failed\n"
    "  2  wrong usage\n"
    "  3  something that was named does not exist\n"
    "  4  a part of the work failed\n"
    "  5  the jobs are queued, but it is not confirmed that replicas or the disk have them\n"
    "\n"
    "'coworker COMMAND --help' shows examples. docs/command-line.md tells more.";

/// They may stand before the command and behind it.
void add_common_options(command_options to, server_settings& server, std::string& settings_file)
{
    to.add_option("--redis", server.url,
                  "The server, such as redis://localhost:6379 or unix:///run/redis.sock; "
                  "redis+sentinel://HOST:PORT,HOST:PORT/PRIMARY asks Sentinels where it is; embedded, or "
                  "embedded:DIR, starts one as long as it is needed. Default: the environment variable "
                  "COWORKER_REDIS, else redis://localhost:6379")
        .value_name("URL")
        .not_empty();
    const auto add_file = [&](const std::string& name, std::string& file, const std::string& what) {
        to.add_option(name, file, what).value_name("FILE").existing_file();
    };
    add_file("--redis-ca", server.files.ca,
             "With rediss://: certificates to trust, PEM. Default: COWORKER_REDIS_CA, else the system's");
    add_file("--redis-cert", server.files.certificate,
             "This side's certificate, PEM, if the server asks for one. Default: COWORKER_REDIS_CERT");
    add_file("--redis-key", server.files.key,
             "The key of that certificate, PEM. Default: COWORKER_REDIS_KEY");
    to.add_option("--prefix", server.prefix, "What the keys of managed queues begin with")
        .value_name("TEXT")
        .not_empty()
        .with_default();
    to.add_option(
          "--config", settings_file,
          "A file of settings, TOML: such as concurrency = 4 below [work]. What the command line or a "
          "variable says counts more. Default: the environment variable COWORKER_CONFIG, else none")
        .value_name("FILE")
        .not_empty();
}

constexpr std::string_view common_options[] = {"--redis",     "--redis-ca", "--redis-cert",
                                               "--redis-key", "--prefix",   "--config"};

/// "--dely" of "--dely=5m"
std::string_view option_name(std::string_view word)
{
    return word.substr(0, word.find('='));
}

/// The word that stands where the command does, or an option that is not one of those before it; empty: none.
std::string_view command_word(std::span<const char* const> words)
{
    std::size_t i = 1;
    while (i < words.size()) {
        const std::string_view word{words[i]};
        const auto name = option_name(word);
        if (std::find(std::begin(common_options), std::end(common_options), name) == std::end(common_options))
            return word;
        i += name == word ? 2 : 1;
    }
    return {};
}

/// A question for whoever may have meant one of these; empty: none is like it.
std::string did_you_mean(std::string_view typed, std::span<const std::string> known, const char* dashes = "")
{
    const auto near = nearest_word(typed, known);
    return near.empty() ? near : "did you mean '" + (dashes + near) + "'? ";
}

std::string_view without_dashes(std::string_view name)
{
    return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

/// What is wrong with words that a command does not take.
std::string complaint_of_extra(const CLI::App& command, const CLI::ParseError& error)
{
    const auto extra = command.remaining();
    if (extra.empty() || !extra.front().starts_with('-'))
        return std::string{error.what()} + "; ";
    std::vector<std::string> names;
    for (const auto* option : command.get_options())
        for (const auto& name : option->get_lnames())
            names.push_back(name);
    const auto typed = option_name(extra.front());
    return "there is no option '" + std::string{typed} + "'; " +
           did_you_mean(without_dashes(typed), names, "--");
}

/// A complaint, with who said the option if the command line did not.
std::string said_by(const unsaid_options& unsaid, const std::string& complaint)
{
    const auto who = unsaid.source_of(complaint);
    return who.empty() ? complaint : complaint + ", as " + who + " says";
}

/// Shows the help or the version, or throws what is wrong with the words.
int answer(const CLI::App& app, const CLI::ParseError& error, const std::string& command,
           const unsaid_options& unsaid, output& out)
{
    std::ostringstream shown, complaint;
    if (app.exit(error, shown, complaint) != 0) {
        const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
        throw failure{exit_code::usage, (is_extra ? complaint_of_extra(*app.get_subcommand(command), error)
                                                  : said_by(unsaid, error.what()) + "; ") +
                                            "'coworker " + command + " --help' shows what it takes"};
    }
    std::istringstream text{shown.str()};
    for (std::string line; std::getline(text, line);)
        out.line(line);
    out.flush();
    return static_cast<int>(exit_code::done);
}

constexpr const char* lists_commands = "'coworker --help' lists the commands";

bool asks_for_help(std::string_view word)
{
    return word == "--help" || word == "-h" || word == "--help-all" || word == "--version";
}

} // namespace

command_line::command_line(server_settings server, notify_settings service, environment variables)
    : app_{std::make_unique<CLI::App>(introduction, "coworker")}, variables_{std::move(variables)}
{
    surroundings_.server = std::move(server);
    surroundings_.service = std::move(service);
    app_->footer(exit_codes);
    app_->require_subcommand(1);
    add_common_options(command_options{*app_}, surroundings_.server, settings_file_);
    app_->set_help_all_flag("--help-all", "Print the help of all commands and exit");
    app_->set_version_flag("--version", build_facts(),
                           "Print the version, and what it was built of, and exit");
}

command_line::~command_line() = default;

command_options command_line::add_without_server(const std::string& name, const std::string& description,
                                                 const std::string& examples, command_action action)
{
    auto& app = *app_->add_subcommand(name, description);
    app.footer("Examples:\n" + examples);
    app.callback([this, action = std::move(action)] { chosen_ = action; });
    return command_options{app};
}

command_options command_line::add(const std::string& name, const std::string& description,
                                  const std::string& examples, command_action action)
{
    auto command = add_without_server(name, description, examples, std::move(action));
    add_common_options(command, surroundings_.server, settings_file_);
    return command;
}

command_options command_line::add_with_json(const std::string& name, const std::string& description,
                                            const std::string& examples, command_action action)
{
    auto command = add(name, description, examples, std::move(action));
    command.add_flag("--json", surroundings_.json, "For scripts: JSON objects, one a line");
    return command;
}

void command_line::add_completion()
{
    auto command =
        add_without_server("completion", "Print what a shell reads to complete commands and options.",
                           "  source <(coworker completion bash)\n"
                           "  coworker completion zsh >~/.zfunc/_coworker\n"
                           "  coworker completion fish >~/.config/fish/completions/coworker.fish",
                           [this](surroundings& here) {
                               here.out.line(shell_completion(*app_, shell_));
                               return exit_code::done;
                           });
    command.add_option("SHELL", shell_, "Which one").required().one_of(shells_with_completion());
}

/// Throws if the command is none.
void command_line::check_command(std::string_view word) const
{
    if (asks_for_help(word))
        return; // for CLI11 to answer
    if (word.empty())
        throw failure{exit_code::usage, std::string{"which command? "} + lists_commands};
    if (word.starts_with('-')) {
        const std::vector<std::string> options{std::begin(common_options), std::end(common_options)};
        const std::string name{option_name(word)};
        throw failure{exit_code::usage, "there is no option '" + name + "' before a command; " +
                                            did_you_mean(name, options) + lists_commands};
    }
    std::vector<std::string> names;
    for (const auto* command : app_->get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), word) != names.end())
        return;
    throw failure{exit_code::usage, "there is no command '" + std::string{word} + "'; " +
                                        did_you_mean(word, names) + lists_commands};
}

int command_line::carry_out(int argc, const char* const* argv)
{
    int own = argc;
    const auto word = command_word({argv, static_cast<std::size_t>(argc)});
    check_command(word);
    if (word == "work") { // behind which -- begins somebody else's command line
        own = static_cast<int>(std::find(argv, argv + argc, std::string_view{"--"}) - argv);
        if (own != argc)
            surroundings_.words_behind.assign(argv + own + 1, argv + argc);
    }
    std::vector<const char*> words{argv, argv + own};
    unsaid_options unsaid;
    if (!asks_for_help(word)) {
        unsaid = find_unsaid_options(*app_, std::string{word}, words, variables_);
        auto behind = std::find(words.begin(), words.end(), word) + 1;
        for (const auto& each : unsaid.words)
            behind = words.insert(behind, each.c_str()) + 1;
    }
    try {
        app_->parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::ParseError& error) {
        return answer(*app_, error, std::string{word}, unsaid, surroundings_.out);
    }
    std::string complaint;
    auto result = exit_code::failed;
    try {
        result = chosen_(surroundings_);
    } catch (const failure& error) {
        complaint = error.code() == exit_code::usage ? said_by(unsaid, error.what()) : error.what();
        result = error.code();
    }
    surroundings_.out.flush(); // also what was found before it failed
    if (!complaint.empty())
        complain("coworker: " + complaint);
    return static_cast<int>(result);
}

int command_line::run(int argc, const char* const* argv)
{
    try {
        return carry_out(argc, argv);
    } catch (const output_closed&) {
        return static_cast<int>(exit_code::done);
    } catch (const failure& error) {
        complain(std::string{"coworker: "} + error.what());
        return static_cast<int>(error.code());
    } catch (const std::exception& error) {
        complain(std::string{"coworker: "} + error.what());
        return static_cast<int>(exit_code::failed);
    }
}

} // namespace coworker::program
