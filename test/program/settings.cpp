// SPDX-License-Identifier: MIT
#include "program_test.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>

/// Options that variables and a file of settings say.
BOOST_AUTO_TEST_SUITE(settings)

using namespace coworker::test;

namespace {

struct settings_test : program_test
{
    temporary_folder folder;

    std::string write(const std::string& text) const
    {
        const auto name = folder.file("settings.toml");
        std::ofstream{name} << text;
        return name;
    }

    finished_program run(std::vector<std::string> arguments, std::vector<std::string> variables = {})
    {
        program_surroundings surroundings;
        surroundings.input = "{}\n";
        surroundings.environment = std::move(variables);
        return coworker(std::move(arguments), surroundings);
    }

    /// Of the only waiting job of a managed queue.
    std::string priority_of(const std::string& prefix = "ql:")
    {
        const auto jobs = server("ZRANGE", prefix + "q:mail-work", 0, -1).texts();
        BOOST_REQUIRE(jobs.size() == 1);
        auto found = server("HGET", prefix + "j:" + jobs[0], "priority").text;
        server("FLUSHALL");
        return found;
    }
};

const std::vector<std::string> push_one{"push", "managed:mail", "--kind", "k"};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_variable_says_what_the_command_line_leaves_out, settings_test)
{
    const std::vector<std::string> variables{"COWORKER_PUSH_PRIORITY=7"};
    BOOST_TEST(run(push_one, variables).code == 0);
    BOOST_TEST(priority_of() == "7");
    auto said = push_one;
    said.insert(said.end(), {"--priority", "8"});
    BOOST_TEST(run(said, variables).code == 0);
    BOOST_TEST(priority_of() == "8");
    said.back() = "--priority=9";
    said.erase(said.end() - 2);
    BOOST_TEST(run(said, variables).code == 0);
    BOOST_TEST(priority_of() == "9");
}

BOOST_FIXTURE_TEST_CASE(a_file_says_what_the_variables_leave_out, settings_test)
{
    const auto file =
        write("# of this machine\nprefix = \"mine:\"\n\n[push]\npriority = 5\n\n[work]\nconcurrency = 3\n");
    const std::vector<std::string> named{"COWORKER_CONFIG=" + file};
    BOOST_TEST(run(push_one, named).code == 0);
    BOOST_TEST(priority_of("mine:") == "5");
    BOOST_TEST(run(push_one, {named[0], "COWORKER_PUSH_PRIORITY=6", "COWORKER_PREFIX=yours:"}).code == 0);
    BOOST_TEST(priority_of("yours:") == "6");
    auto before = push_one;
    before.insert(before.begin(), {"--config", file, "--prefix=ql:"});
    BOOST_TEST(run(before).code == 0);
    BOOST_TEST(priority_of() == "5");
}

BOOST_FIXTURE_TEST_CASE(flags_are_said_as_true, settings_test)
{
    const auto file = write("[queues]\njson = true\n");
    run(push_one);
    BOOST_TEST(run({"queues", "--config", file}).output.starts_with('{'));
    BOOST_TEST(run({"queues"}, {"COWORKER_QUEUES_JSON=true"}).output.starts_with('{'));
    BOOST_TEST(!run({"queues", "--config", file}, {"COWORKER_QUEUES_JSON=false"}).output.starts_with('{'));
}

BOOST_FIXTURE_TEST_CASE(the_server_of_a_variable_counts_more_than_that_of_the_file, settings_test)
{
    const auto file = write("redis = \"redis://nowhere.invalid\"\n");
    BOOST_TEST(run({"queues", "--config", file}).code == 0);
    const auto alone = run_coworker({"queues", "--config", file});
    BOOST_TEST(alone.code == 1);
    BOOST_TEST(alone.complains("nowhere.invalid"), alone.errors);
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_used_is_refused_with_who_said_it, settings_test)
{
    const auto refused = [&](const std::string& words, const finished_program& result) {
        BOOST_TEST(result.code == 2, words);
        BOOST_TEST(result.complains(words), result.errors);
    };
    refused("as COWORKER_PUSH_PRIORITY says", run(push_one, {"COWORKER_PUSH_PRIORITY=high"}));
    refused("as the file '", run(push_one, {"COWORKER_CONFIG=" + write("[push]\npriority = \"high\"\n")}));
    refused("did you mean 'priority'?", run(push_one, {"COWORKER_CONFIG=" + write("[push]\npriorty = 1\n")}));
    refused("sets 'work.concurency', which is no option",
            run(push_one, {"COWORKER_CONFIG=" + write("[work]\nconcurency = 1\n")}));
    refused("there is no command 'worker'",
            run(push_one, {"COWORKER_CONFIG=" + write("[worker]\nlease = \"1m\"\n")}));
    refused("cannot be read", run(push_one, {"COWORKER_CONFIG=" + folder.file("missing")}));
    BOOST_TEST(server("DBSIZE").integer == 0);
}

BOOST_AUTO_TEST_SUITE_END()
