#include "finished_program.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <sstream>

BOOST_AUTO_TEST_SUITE(completions)

using namespace coworker::test;

namespace {

std::string content_of(const std::string& path)
{
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

bool is_installed(const std::string& program)
{
    return process{{"sh", "-c", "command -v " + program}}.wait() == 0;
}

struct shell_test
{
    temporary_folder folder;

    /// What a program says of a file with this text, output and errors.
    std::string feed(std::vector<std::string> command, const std::string& text)
    {
        const auto path = folder.file("input"), log = folder.file("log");
        std::ofstream{path, std::ios::binary} << text;
        std::ofstream{log, std::ios::trunc};
        command.push_back(path);
        process{command, log}.wait();
        return content_of(log);
    }

    /// What bash offers for the last of these words.
    std::vector<std::string> bash_offers(const std::vector<std::string>& words)
    {
        std::string script =
            run_coworker({"completion", "bash"}).output + "compopt() { :; }\nCOMP_WORDS=(coworker";
        for (const auto& word : words)
            script += " '" + word + "'";
        script += ")\nCOMP_CWORD=" + std::to_string(words.size()) +
                  "\n_coworker\n((${#COMPREPLY[@]})) && printf '%s\\n' \"${COMPREPLY[@]}\"\n";
        std::istringstream answer{feed({"bash", "--norc", "--noprofile"}, script)};
        std::vector<std::string> offers;
        for (std::string line; std::getline(answer, line);)
            offers.push_back(line);
        return offers;
    }
};

using offers = std::vector<std::string>;

} // namespace

BOOST_FIXTURE_TEST_CASE(bash_completes_commands_options_and_values, shell_test)
{
    const std::pair<offers, offers> expected[] = {
        {{"pu"}, {"push"}},
        {{"re"}, {"resume", "retry"}},
        {{"--v"}, {"--version"}},
        {{"push", "mail", "--id"}, {"--id-field"}},
        {{"work", "--order", ""}, {"strict", "round-robin", "weighted"}},
        {{"work", "--order", "=", "w"}, {"weighted"}},
        {{"work", "--order", "="}, {"strict", "round-robin", "weighted"}},
        {{"work", "mail", "--log-level", "w"}, {"warning"}},
        {{"completion", ""}, {"bash", "zsh", "fish"}},
        {{"nonsense", "--"}, {}},
        {{"push", "mail", "--delay", ""}, {}},
    };
    for (const auto& [words, offered] : expected)
        BOOST_TEST(bash_offers(words) == offered, boost::test_tools::per_element());
    BOOST_TEST(bash_offers({""}).size() > 20);
    std::ofstream{folder.file("jobs.jsonl")} << "1\n";
    const offers file{folder.file("jobs.jsonl")};
    BOOST_TEST(bash_offers({"push", "mail", folder.file("jobs")}) == file, boost::test_tools::per_element());
    BOOST_TEST(bash_offers({"work", "mail", "--", "/bin/s", folder.file("jobs")}) == file,
               boost::test_tools::per_element());
    const auto programs = bash_offers({"work", "mail", "--", "redis-ser"});
    BOOST_TEST((std::find(programs.begin(), programs.end(), "redis-server") != programs.end()));
}

BOOST_FIXTURE_TEST_CASE(every_shell_can_read_its_script, shell_test)
{
    BOOST_TEST(feed({"bash", "-n"}, run_coworker({"completion", "bash"}).output) == "");
    for (const auto* shell : {"zsh", "fish"}) {
        const auto script = run_coworker({"completion", shell});
        BOOST_TEST(script.code == 0);
        for (const auto* words : {"push", "id-field", "strict round-robin weighted"})
            BOOST_TEST(script.says(words), shell);
        if (is_installed(shell))
            BOOST_TEST(feed({shell, "-n"}, script.output) == "");
    }
    BOOST_TEST(run_coworker({"completion", "cmd.exe"}).code == 2);
    BOOST_TEST(run_coworker({"completion"}).code == 2);
}

BOOST_FIXTURE_TEST_CASE(the_manual_page_is_sound_and_names_everything, shell_test)
{
    const auto page = run_coworker({"man"});
    BOOST_TEST(page.code == 0);
    for (const auto* words : {".SS \"push\"", "\\fB\\-\\-id\\-field\\fR \\fINAME\\fR", ".SH \"EXIT STATUS\"",
                              "\\fBCOWORKER_REDIS\\fR", "\\fBstrict\\fR"})
        BOOST_TEST(page.says(words), words);
    if (is_installed("groff"))
        BOOST_TEST(feed({"groff", "-man", "-ww", "-z", "-Tutf8", "-k"}, page.output) == "");
    if (is_installed("mandoc"))
        BOOST_TEST(feed({"mandoc", "-Tlint", "-Werror"}, page.output) == "");
}

BOOST_AUTO_TEST_SUITE_END()
