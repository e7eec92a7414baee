// SPDX-License-Identifier: MIT
#include "program_test.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(cancel_command)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(cancels_running_jobs_of_a_list_queue, program_test)
{
    const std::string own = "\"2026-11-21T09:54:29.612715000042Z\"", peers = "\"2026-11-21T09:54:29.5Z\"";
    server("HSET", "hworker-progress-mail", "[\"a\",1]", own, "[\"b\",1]", own, "[\"c\",1]", peers);
    server("LPUSH", "hworker-jobs-mail", "[\"waits\",1]");
    auto result = coworker({"cancel", "mail", "a"});
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output == "1 job cancelled\n");
    BOOST_TEST(server("LRANGE", "hworker-failed-mail", 0, -1).texts().at(0) == "[\"a\",1]");
    BOOST_TEST(server("HLEN", "hworker-progress-mail").integer == 2);
    // Another library's run; one that is no more; one that waits.
    result = coworker({"cancel", "mail", "c", "--json"});
    BOOST_TEST(result.code == 4);
    BOOST_TEST(result.output == "{\"queue\":\"mail\",\"cancelled\":0,\"unknown\":[],\"refused\":1}\n");
    result = coworker({"cancel", "mail", "b", "a", "waits"});
    BOOST_TEST(result.code == 3);
    BOOST_TEST(result.output == "1 job cancelled\n");
    BOOST_TEST(server("LLEN", "hworker-jobs-mail").integer == 1);
}

BOOST_FIXTURE_TEST_CASE(cancels_jobs_of_a_managed_queue, program_test)
{
    for (const auto* jid : {"runs", "waits"})
        qless("put", "", "mail", jid, "k", "{}", "0");
    qless("pop", "mail", "w", 1);
    const auto result = coworker({"cancel", "managed:mail", "runs", "none"});
    BOOST_TEST(result.code == 3);
    BOOST_TEST(result.output == "1 job cancelled\n");
    BOOST_TEST(server("EXISTS", "ql:j:runs").integer == 0);
    BOOST_TEST(server("EXISTS", "ql:j:waits").integer == 1);
}

BOOST_FIXTURE_TEST_CASE(cancels_all_running_jobs_if_that_is_said_twice, program_test)
{
    const std::string own = "\"2026-11-21T09:54:29.612715000042Z\"";
    server("HSET", "hworker-progress-mail", "[\"a\",1]", own, "[\"b\",1]", own);
    auto result = coworker({"cancel", "mail", "--all"}); // nobody can be asked
    BOOST_TEST(result.code == 2);
    BOOST_TEST(result.errors.find("--yes") != result.errors.npos, result.errors);
    BOOST_TEST(server("HLEN", "hworker-progress-mail").integer == 2);
    result = coworker({"cancel", "mail", "--all", "--yes"});
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output == "2 jobs cancelled\n");
    for (const auto* jid : {"runs", "waits"})
        qless("put", "", "mail", jid, "k", "{}", "0");
    qless("pop", "mail", "w", 1);
    result = coworker({"cancel", "managed:mail", "--all", "--yes"});
    BOOST_TEST(result.output == "1 job cancelled\n");
    BOOST_TEST(coworker({"cancel", "mail"}).code == 2);
    BOOST_TEST(coworker({"cancel", "mail", "a", "--all", "--yes"}).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
