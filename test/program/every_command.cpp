// SPDX-License-Identifier: MIT
#include "finished_program.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

/// What holds for each command, and each of its options.
BOOST_AUTO_TEST_SUITE(every_command)

using namespace coworker::test;

/// The first words of the lines of a part of a help, without those that go on with the line before.
std::vector<std::string> words_of_help(const std::vector<std::string>& arguments, const std::string& part)
{
    const auto lines = run_coworker_here(arguments).lines();
    const auto begin = std::find(lines.begin(), lines.end(), part);
    BOOST_REQUIRE((begin != lines.end()));
    std::vector<std::string> words;
    for (auto line = begin + 1; line != lines.end() && line->starts_with("  "); ++line)
        if ((*line)[2] != ' ')
            words.push_back(line->substr(2, line->find(' ', 2) - 2));
    BOOST_TEST(!words.empty());
    return words;
}

std::vector<std::string> all_commands()
{
    return words_of_help({"--help"}, "Subcommands:");
}

BOOST_AUTO_TEST_CASE(shows_an_example_for_every_command)
{
    for (const auto& name : all_commands()) {
        const auto help = run_coworker({name, "--help"});
        BOOST_TEST(help.code == 0, name);
        BOOST_TEST(help.says("Examples:\n"), name);
        BOOST_TEST(help.says("coworker " + name), name);
        if (name != "completion")
            BOOST_TEST(help.says("COWORKER_REDIS"), name);
    }
}

/// Each option of each command. A server whose URL is none has the command end where the value can be used. That it is
/// said in one sentence, `run_coworker_here` sees.
BOOST_AUTO_TEST_CASE(refuses_values_of_options_that_cannot_be_used)
{
    const auto refuse = [](std::vector<std::string> words) {
        words.insert(words.end(), {"--redis", "nonsense"});
        const auto result = run_coworker_here(words);
        BOOST_TEST(result.code == 2);
        BOOST_TEST(result.complains("coworker: "));
        BOOST_TEST(result.output == "");
    };
    for (const auto& command : all_commands())
        for (const auto& names : words_of_help({command, "--help"}, "Options:")) {
            const auto option = names.substr(0, names.find(','));
            if (option == "-h" || option == "--help-all" || option == "--redis")
                continue;
            refuse({command, "mail", option + "=no such value"});
            refuse({command, "managed:mail", option + "=-1"});
        }
}

BOOST_AUTO_TEST_CASE(completes_every_command_in_each_shell)
{
    for (const auto* shell : {"bash", "fish", "zsh"}) {
        const auto script = run_coworker({"completion", shell});
        BOOST_TEST(script.code == 0, script.errors);
        for (const auto& name : all_commands())
            BOOST_TEST(script.says(' ' + name), shell << " " << name);
        BOOST_TEST(script.says("max-crashes"), shell);
    }
    BOOST_TEST(run_coworker({"completion", "tcsh"}).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
