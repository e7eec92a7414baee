#include "coworker/command_model.hpp"

#include <algorithm>

namespace coworker::cli {
namespace {

/// Behind the name of a value CLI11 says how it is checked: "ORDER:{strict,weighted}".
void read_value(const std::string& text, option_model& option)
{
    option.value = text.substr(0, text.find(':'));
    const auto open = text.find('{'), close = text.find('}', open);
    if (open == text.npos || close == text.npos)
        return;
    for (auto begin = open + 1; begin < close;) {
        const auto end = std::min(text.find(',', begin), close);
        option.choices.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
}

option_model read_option(const CLI::Option& given)
{
    option_model option;
    if (given.get_positional())
        option.names = {given.get_single_name()};
    for (const auto& name : given.get_snames())
        option.names.push_back("-" + name);
    for (const auto& name : given.get_lnames())
        option.names.push_back("--" + name);
    if (given.get_items_expected_max() != 0)
        read_value(given.get_type_name(), option);
    if (given.get_positional()) {
        const auto colon = option.value == "TEXT" || option.value.empty();
        if (colon)
            option.value = option.names.front();
    }
    option.description = given.get_description();
    option.by_default = given.get_default_str();
    option.required = given.get_required();
    option.repeated = given.get_expected_max() > 1;
    return option;
}

command_model read_command(const CLI::App& app)
{
    command_model command;
    command.name = app.get_name();
    command.description = app.get_description();
    command.footer = app.get_footer();
    for (const auto* option : app.get_options())
        if (!option->get_group().empty())
            (option->get_positional() ? command.positionals : command.options)
                .push_back(read_option(*option));
    return command;
}

} // namespace

program_model model_of(const CLI::App& app)
{
    program_model program;
    program.itself = read_command(app);
    for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!command->get_group().empty())
            program.commands.push_back(read_command(*command));
    std::sort(program.commands.begin(), program.commands.end(),
              [](const command_model& left, const command_model& right) { return left.name < right.name; });
    return program;
}

std::string first_sentence(const std::string& text)
{
    auto sentence = text.substr(0, std::min(text.find('\n'), text.find(". ")));
    // Of "Show queues: how many ..." the beginning will do, but not of "For scripts: ...".
    constexpr std::size_t long_enough = 60;
    if (const auto colon = sentence.find(": "); sentence.size() > long_enough && colon != sentence.npos)
        sentence.resize(colon);
    if (sentence.ends_with('.'))
        sentence.pop_back();
    return sentence;
}

} // namespace coworker::cli
