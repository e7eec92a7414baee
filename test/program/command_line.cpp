// SPDX-License-Identifier: MIT
#include "program_test.hpp"

#include "coworker/version.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(command_line)

using namespace coworker::test;

// A command that needs nothing but a server.
const std::vector<std::string> any_command{"qless"};

finished_program run_with(const std::string& environment, std::vector<std::string> more = {})
{
    program_surroundings surroundings;
    surroundings.environment = {environment};
    auto words = any_command;
    words.insert(words.end(), more.begin(), more.end());
    return run_coworker(words, surroundings);
}

BOOST_AUTO_TEST_CASE(shows_help_and_version)
{
    const auto help = run_coworker({"--help"});
    BOOST_TEST(help.code == 0);
    BOOST_TEST(help.says("Exit codes:"));
    BOOST_TEST(help.errors == "");
    const auto version = run_coworker({"--version"});
    BOOST_TEST(version.code == 0);
    BOOST_TEST(version.lines().front() == "coworker " COWORKER_VERSION_STRING);
    for (const auto* fact : {"\ncommit ", "\ncompiler ", "\nBoost 1."})
        BOOST_TEST(version.says(fact), version.output);
}

BOOST_AUTO_TEST_CASE(names_a_command_that_is_none_and_one_that_may_be_meant)
{
    for (const auto& [typed, meant] : std::vector<std::pair<std::string, std::string>>{
             {"puse", "pause"}, {"psuh", "push"}, {"Work", "work"}, {"stat", "stats"}}) {
        const auto result = run_coworker({"--redis", "redis://localhost", typed, "mail"});
        BOOST_TEST(result.code == 2);
        BOOST_TEST(result.complains("there is no command '" + typed + "'; did you mean '" + meant + "'?"),
                   result.errors);
    }
    const auto result = run_coworker({"nonsense\x1b[2J"});
    BOOST_TEST(result.code == 2);
    BOOST_TEST(result.complains("there is no command 'nonsense\\x1b[2J'; 'coworker --help'"), result.errors);
}

BOOST_AUTO_TEST_CASE(names_an_option_that_is_none_and_one_that_may_be_meant)
{
    const auto complaint_of = [](const std::vector<std::string>& words) {
        const auto result = run_coworker(words);
        BOOST_TEST(result.code == 2);
        return result.errors;
    };
    BOOST_TEST(complaint_of({"push", "mail", "--dely", "5m"}) ==
               "coworker: there is no option '--dely'; did you mean '--delay'? 'coworker push --help' shows "
               "what it takes\n");
    BOOST_TEST(
        complaint_of({"push", "mail", "--prioritiy=5"}) ==
        "coworker: there is no option '--prioritiy'; did you mean '--priority'? 'coworker push --help' "
        "shows what it takes\n");
    BOOST_TEST(complaint_of({"queues", "-x"}) ==
               "coworker: there is no option '-x'; 'coworker queues --help' shows what it takes\n");
    BOOST_TEST(complaint_of({"--reids", "redis://host", "queues"}) ==
               "coworker: there is no option '--reids' before a command; did you mean '--redis'? 'coworker "
               "--help' lists the commands\n");
}

BOOST_AUTO_TEST_CASE(refuses_what_it_does_not_know)
{
    for (const auto& words : std::vector<std::vector<std::string>>{{},
                                                                   {"nonsense"},
                                                                   {"--nonsense"},
                                                                   {"qless", "--nonsense"},
                                                                   {"qless", "--redis"},
                                                                   {"qless", "--redis", ""}}) {
        const auto result = run_coworker(words);
        BOOST_TEST(result.code == 2);
        BOOST_TEST(result.output == "");
        BOOST_TEST(result.complains("--help"));
    }
}

BOOST_FIXTURE_TEST_CASE(takes_the_server_before_the_command_as_well, program_test)
{
    const auto& url = server.url();
    put("j", "Job", "{}");
    BOOST_TEST(run_coworker({"--redis", url, "queues", "--json"}).says("managed:mail"));
    BOOST_TEST(run_coworker({"--redis=" + url, "--prefix", "other:", "queues"}).code == 0);
    // The later one counts, and what is behind -- is not read.
    BOOST_TEST(run_coworker({"--redis", "nonsense", "queues", "--redis", url}).code == 0);
    const auto worked = run_coworker({"--redis", url, "work", "--", "cat", "--nonsense"});
    BOOST_TEST(worked.code == 2);
    BOOST_TEST(worked.complains("QUEUE is required"), worked.errors);
}

BOOST_AUTO_TEST_CASE(says_what_is_wrong_and_where_help_is)
{
    const auto is_refused = [](const std::vector<std::string>& words, const std::string& why) {
        const auto refused = run_coworker(words);
        BOOST_TEST(refused.code == 2);
        BOOST_TEST(refused.complains("coworker: " + why), refused.errors);
    };
    is_refused({}, "which command? 'coworker --help' lists the commands");
    is_refused({"--nonsense"}, "there is no option '--nonsense' before a command");
    is_refused({"push"}, "QUEUE is required; 'coworker push --help' shows what it takes");
    is_refused({"queues", "--nonsense"},
               "there is no option '--nonsense'; 'coworker queues --help' shows what it takes");
    is_refused({"qless", "--nonsense", "more"}, "there is no option '--nonsense'; 'coworker qless");
}

BOOST_AUTO_TEST_CASE(says_where_a_url_came_from_that_cannot_be_used)
{
    const auto given = run_with("A=b", {"--redis", "nonsense"});
    BOOST_TEST(given.code == 2);
    BOOST_TEST(given.complains("nonsense (--redis)"));
    BOOST_TEST(given.complains("environment variable COWORKER_REDIS"));
    const auto set = run_with("COWORKER_REDIS=redis://host:port");
    BOOST_TEST(set.code == 2);
    BOOST_TEST(set.complains("redis://host:port (COWORKER_REDIS)"));
    const auto other = run_with("A=b", {"--redis", "http://host"});
    BOOST_TEST(other.complains("unknown scheme 'http'; use redis, rediss, unix, redis+cluster, "
                               "rediss+cluster, redis+sentinel or rediss+sentinel. The server"),
               other.errors);
}

BOOST_AUTO_TEST_CASE(keeps_passwords_to_itself)
{
    for (const auto* url : {"redis://user:secret@host:port",
                            "unix://:sec@secret@x?y",
                            "user:secret@host",
                            "redis://:se/secret@host:port",
                            "redis://host?password=secret",
                            "redis://host:port?secret",
                            "unix:///x?secret",
                            "redis://user:se?secret@host",
                            "redis://host:port#secret",
                            "redis+cluster://host?secret",
                            "user:secret?x@host",
                            "a?b@secret://host",
                            ":secret@://host",
                            "user:secret@x://host",
                            "redis+sentinel://:secret@host",
                            "redis+sentinel://host?sentinel_password=secret",
                            "redis+sentinel://host/main?secret=1",
                            "rediss://host?key=secret%",
                            "unix://relative?secret",
                            "unix:///x?db=secret"}) {
        const auto result = run_with(std::string{"COWORKER_REDIS="} + url);
        BOOST_TEST(result.code == 2);
        BOOST_TEST(!result.complains("secret"), result.errors);
    }
}

BOOST_AUTO_TEST_CASE(never_writes_control_characters_to_a_terminal)
{
    const auto result = run_with("COWORKER_REDIS=nonsense\x1b[31m\xff");
    BOOST_TEST(result.complains("nonsense\\x1b[31m\\xff"));
}

BOOST_AUTO_TEST_CASE(does_not_mind_closed_streams)
{
    program_surroundings closed;
    closed.closed_output = true;
    const auto result = run_coworker({"--help"}, closed);
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.errors == "");
}

BOOST_AUTO_TEST_CASE(tells_of_output_that_cannot_be_written)
{
    program_surroundings full;
    full.output_file = "/dev/full";
    const auto result = run_coworker({"--help"}, full);
    BOOST_TEST(result.code == 1);
    BOOST_TEST(result.complains("standard output cannot be written"));
}

BOOST_AUTO_TEST_SUITE_END()
