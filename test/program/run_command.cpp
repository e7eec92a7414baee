// SPDX-License-Identifier: MIT
#include "program_test.hpp"
#include "work_test.hpp"

#include <boost/test/unit_test.hpp>

/// coworker run and coworker release
BOOST_AUTO_TEST_SUITE(run_command)

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(lets_scheduled_jobs_of_a_list_queue_run_now, program_test)
{
    push({"mail", "--id-field", "id", "--delay", "1h"}, "{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":\"c\"}\n");
    push({"mail", "--id-field", "id"}, "{\"id\":\"waits\"}\n");
    auto result = coworker({"run", "mail", "b", "waits"});
    BOOST_TEST(result.code == 3);
    BOOST_TEST(result.output == "1 job may run now\n");
    BOOST_TEST(result.complains("no scheduled job of mail is called 'waits'"));
    BOOST_TEST(waiting("mail").size() == 2u);
    result = coworker({"run", "mail", "--all", "--json"});
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.output == "{\"queue\":\"mail\",\"queued\":2,\"unknown\":[],\"refused\":0}\n");
    BOOST_TEST(waiting("mail").size() == 4u);
}

BOOST_FIXTURE_TEST_CASE(lets_scheduled_jobs_of_a_managed_queue_run_now, program_test)
{
    for (const auto* jid : {"a", "b", "c"})
        qless("put", "", "mail", jid, "k", "{}", "3600");
    qless("put", "", "mail", "waits", "k", "{}", "0");
    qless("put", "", "other", "elsewhere", "k", "{}", "3600");
    BOOST_TEST(coworker({"run", "managed:mail", "a"}).output == "1 job may run now\n");
    auto result = coworker({"run", "managed:mail", "waits"});
    BOOST_TEST(result.code == 4);
    BOOST_TEST(result.complains("waits: it is not scheduled"));
    result = coworker({"run", "managed:mail", "elsewhere"});
    BOOST_TEST(result.code == 3);
    BOOST_TEST(coworker({"run", "managed:mail", "--all", "--json"}).output ==
               "{\"queue\":\"managed:mail\",\"queued\":2,\"unknown\":[],\"refused\":0}\n");
    BOOST_TEST(server("ZCARD", "ql:q:mail-scheduled").integer == 0);
    BOOST_TEST(server("ZCARD", "ql:q:other-scheduled").integer == 1);
}

BOOST_FIXTURE_TEST_CASE(takes_running_jobs_from_their_workers, program_test)
{
    for (const auto* jid : {"a", "b", "c"})
        qless("put", "", "mail", jid, "k", "{}", "0");
    qless("pop", "mail", "w", 2);
    auto result = coworker({"release", "managed:mail", "a", "c", "none"});
    BOOST_TEST(result.code == 3);
    BOOST_TEST(result.output == "1 job released\n");
    BOOST_TEST(result.complains("c: it does not run"));
    BOOST_TEST(result.complains("no job of managed:mail is called 'none'"));
    BOOST_TEST(state("a") != "running");
    result = coworker({"release", "managed:mail", "--all", "--json"});
    BOOST_TEST(result.output == "{\"queue\":\"managed:mail\",\"released\":1,\"unknown\":[],\"refused\":0}\n");
    BOOST_TEST(state("b") != "running");
    for (const auto* jid : {"a", "b"})
        BOOST_TEST(history(jid) == "put popped timed-out", history(jid));
}

BOOST_FIXTURE_TEST_CASE(runs_a_released_job_again, work_test)
{
    push({"managed:mail", "--kind", "k", "--id-field", "id"}, "{\"id\":\"a\"}\n");
    const temporary_folder folder;
    const auto begun = folder.file("begun");
    running_program worker{
        work({"managed:mail", "--concurrency", "1"},
             "test -e " + begun + " && exit; touch " + begun + "; echo begun; sleep 1000")};
    worker.wait_for("begun");
    BOOST_TEST(coworker({"release", "managed:mail", "a"}).code == 0);
    worker.wait_for("succeeded queue=managed:mail");
    BOOST_TEST(ends_well(worker));
}

BOOST_FIXTURE_TEST_CASE(refuses_what_makes_no_sense, program_test)
{
    push({"mail"}, "1\n");
    BOOST_TEST(coworker({"run", "mail"}).code == 2);
    BOOST_TEST(coworker({"run", "mail", "a", "--all"}).code == 2);
    BOOST_TEST(coworker({"release", "managed:mail"}).code == 2);
    BOOST_TEST(coworker({"run", "none", "--all"}).code == 3);
    const auto list = coworker({"release", "mail", "a"});
    BOOST_TEST(list.code == 2);
    BOOST_TEST(list.complains("only jobs of managed queues"));
}

BOOST_AUTO_TEST_SUITE_END()
