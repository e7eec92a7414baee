// SPDX-License-Identifier: MIT
#include "work_test.hpp"

#include <boost/test/unit_test.hpp>

BOOST_FIXTURE_TEST_SUITE(monitor_command, coworker::test::work_test)

using namespace coworker::test;

std::vector<std::string> monitor(const redis_server& server, std::vector<std::string> more)
{
    more.insert(more.begin(), {"monitor", "--redis", server.url()});
    return more;
}

/// Takes a job and is killed.
void lose_job(work_test& test, const std::string& queue)
{
    running_program worker{test.work({queue}, "echo begun; sleep 1000")};
    worker.wait_for("begun");
    worker.signal(SIGKILL);
    worker.read_to_end();
}

BOOST_AUTO_TEST_CASE(returns_the_jobs_of_a_killed_worker)
{
    push({"mail"}, "1\n");
    push({"managed:mail", "--kind", "Welcome"}, "2\n");
    running_program watcher{monitor(server, {"mail", "managed:mail"})};
    lose_job(*this, "mail");
    watcher.wait_for("recovered");
    lose_job(*this, "managed:mail");
    watcher.wait_for("recovered");
    BOOST_TEST(waiting("mail").size() == 1);
    BOOST_TEST(coworker({"queues", "managed:mail", "--json"}).says("\"waiting\":1"));
    watcher.signal(SIGTERM);
    BOOST_TEST(watcher.read_to_end().find("2 jobs were returned") != std::string::npos);
    BOOST_TEST(watcher.wait() == 0);
}

BOOST_AUTO_TEST_CASE(returns_jobs_whose_lease_has_ended)
{
    server("HSET", "hworker-progress-mail", R"(["an-id",1])", R"("2020-01-01T00:00:00.000000Z")");
    running_program watcher{monitor(server, {"mail", "--lease", "1s", "--log-format", "json"})};
    watcher.wait_for(R"("event":"recovered","queue":"mail")");
    BOOST_TEST(waiting("mail").size() == 1);
}

BOOST_AUTO_TEST_CASE(goes_on_when_redis_was_away)
{
    running_program watcher{monitor(server, {"mail"})};
    watcher.wait_for(" connected");
    server.restart();
    watcher.wait_for("reconnected");
    push({"mail"}, "1\n");
    lose_job(*this, "mail");
    watcher.wait_for("recovered");
}

BOOST_AUTO_TEST_CASE(ends_at_signals_to_stop_and_at_no_others)
{
    for (const int last : {SIGHUP, SIGQUIT, SIGINT}) {
        running_program watcher{monitor(server, {"mail"})};
        watcher.wait_for(" connected");
        for (const int number : {SIGUSR1, SIGUSR2, SIGALRM, SIGTSTP})
            watcher.signal(number);
        push({"mail"}, "1\n");
        lose_job(*this, "mail");
        watcher.wait_for("recovered");
        server("DEL", "hworker-jobs-mail");
        watcher.signal(last);
        BOOST_TEST(watcher.read_to_end().find("1 job was returned") != std::string::npos);
        BOOST_TEST(watcher.wait() == 0);
    }
}

BOOST_AUTO_TEST_CASE(refuses_what_makes_no_sense)
{
    BOOST_TEST(coworker({"monitor"}).code == 2);
    BOOST_TEST(coworker({"monitor", "managed:"}).code == 2);
    BOOST_TEST(coworker({"monitor", "mail", "--lease", "5"}).code == 2);
    BOOST_TEST(coworker({"monitor", "mail", "--worker-grace", "5"}).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
