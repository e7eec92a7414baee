// SPDX-License-Identifier: MIT
#include "work_test.hpp"

#include <boost/test/unit_test.hpp>

BOOST_FIXTURE_TEST_SUITE(work_end, coworker::test::work_test)

using namespace coworker::test;

/// Processes of all kinds that a command may leave: a child, a pipeline, one in a client of its own.
const std::string with_relatives = "setsid sleep 1000 & sleep 1000 | sleep 1000 & echo begun; sleep 1000";

BOOST_AUTO_TEST_CASE(lets_commands_end_when_told_to_stop)
{
    push({"mail"}, "1\n2\n");
    gate gate;
    running_program worker{work({"mail", "--concurrency", "1"}, "echo begun; " + gate.wait())};
    worker.wait_for("begun");
    worker.signal(SIGTERM);
    worker.wait_for("stopping when 1 running job has ended; a second signal releases it at once");
    BOOST_TEST(gate.let_pass(1));
    BOOST_TEST(worker.read_to_end().find("succeeded") != std::string::npos);
    BOOST_TEST(worker.wait() == 0);
    BOOST_TEST(waiting("mail").size() == 1); // nothing new was begun
    BOOST_TEST(sandboxes_are_empty());
}

BOOST_AUTO_TEST_CASE(lets_commands_end_at_other_signals_as_well)
{
    for (const int number : {SIGHUP, SIGQUIT}) {
        push({"mail"}, "1\n2\n");
        gate gate;
        running_program worker{work({"mail", "--concurrency", "1"}, "echo begun; " + gate.wait())};
        worker.wait_for("begun");
        worker.signal(number);
        worker.wait_for("a second signal");
        worker.signal(SIGHUP); // is none: it may come beside another
        BOOST_TEST(gate.let_pass(1));
        BOOST_TEST(worker.read_to_end().find("succeeded") != std::string::npos);
        BOOST_TEST(worker.wait() == 0);
    }
    BOOST_TEST(waiting("mail").size() == 2);
}

BOOST_AUTO_TEST_CASE(signals_that_mean_nothing_end_neither_it_nor_its_commands)
{
    push({"mail"}, "1\n");
    gate gate;
    running_program worker{work({"mail"}, "echo begun; " + gate.wait())};
    worker.wait_for("begun");
    const auto launcher = children_of(worker.id()).at(0);
    const auto guardian = children_of(launcher).at(0);
    for (const auto process : {worker.id(), launcher, guardian})
        for (const int number : {SIGUSR1, SIGUSR2, SIGALRM})
            ::kill(process, number);
    for (const auto process : {launcher, guardian})
        for (const int number : {SIGHUP, SIGQUIT, SIGTERM, SIGTSTP})
            ::kill(process, number);
    BOOST_TEST(gate.let_pass(1));
    worker.wait_for("succeeded");
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(a_command_has_signals_as_any_other)
{
    push({"mail"}, "1\n");
    running_program worker{work({"mail", "--retries", "0"}, "kill -USR1 $$; kill -ALRM $$")};
    worker.wait_for("ended by SIGUSR1");
    BOOST_TEST(ends_well(worker));
}

/// "Quiet", as Sidekiq calls it.
BOOST_AUTO_TEST_CASE(fetches_nothing_more_at_sigtstp_and_stays)
{
    push({"mail"}, "1\n");
    gate gate;
    running_program worker{
        work({"mail", "managed:mail", "--concurrency", "2", "--lease", "1s", "--shutdown-timeout", "10ms"},
             "echo begun; " + gate.wait())};
    worker.wait_for("begun");
    worker.signal(SIGTSTP);
    worker.wait_for("quiet: fetches no more jobs; 1 job still runs");
    worker.signal(SIGCONT); // undoes nothing
    push({"mail"}, "2\n");
    push({"managed:mail", "--kind", "Welcome"}, "3\n");
    BOOST_TEST(gate.let_pass(1)); // its shutdown timeout has not begun
    worker.wait_for("succeeded");
    // It is still a monitor.
    server("HSET", "hworker-progress-mail", R"(["an-id",4])", R"("2020-01-01T00:00:00.000000Z")");
    worker.wait_for("recovered");
    BOOST_TEST(waiting("mail").size() == 2);
    worker.signal(SIGTERM);
    BOOST_TEST(worker.read_to_end().find("begun") == std::string::npos);
    BOOST_TEST(worker.wait() == 0);
    BOOST_TEST(waiting("mail").size() == 2);
    BOOST_TEST(coworker({"queues", "managed:mail", "--json"}).says("\"waiting\":1"));
}

BOOST_AUTO_TEST_CASE(gives_jobs_back_at_the_second_signal)
{
    push({"mail"}, "1\n");
    push({"managed:mail", "--kind", "Welcome"}, "1\n");
    running_program worker{
        work({"mail", "managed:mail", "--concurrency", "2"}, "trap '' TERM; " + with_relatives)};
    worker.wait_for("begun");
    worker.wait_for("begun");
    worker.signal(SIGINT);
    worker.wait_for("a second signal");
    worker.signal(SIGTERM);
    worker.read_to_end();
    BOOST_TEST(worker.wait() == 0);
    BOOST_TEST(waiting("mail").size() == 1);
    BOOST_TEST(server("HLEN", "hworker-progress-mail").integer == 0);
    BOOST_TEST(coworker({"queues", "managed:mail", "--json"}).says("\"waiting\":1"));
    BOOST_TEST(sandboxes_are_empty());
    for (const auto* queue : {"mail", "managed:mail"}) {
        running_program next{work({queue}, "echo attempt $COWORKER_ATTEMPT")};
        next.wait_for("attempt 1");
    }
}

BOOST_AUTO_TEST_CASE(gives_jobs_back_when_the_drain_time_is_over)
{
    push({"mail"}, "1\n");
    running_program worker{work({"mail", "--shutdown-timeout", "50ms"}, with_relatives)};
    worker.wait_for("begun");
    worker.signal(SIGTERM);
    worker.wait_for("released");
    worker.read_to_end();
    BOOST_TEST(worker.wait() == 0);
    BOOST_TEST(waiting("mail").size() == 1);
}

BOOST_AUTO_TEST_CASE(leaves_nothing_when_it_is_killed_and_the_job_runs_again)
{
    push({"mail"}, "1\n");
    running_program worker{work({"mail"}, with_relatives)};
    worker.wait_for("begun");
    BOOST_TEST(!sandboxes_are_empty());
    worker.signal(SIGKILL);
    worker.read_to_end(); // the end comes when the last process that could write has gone
    BOOST_TEST(worker.wait() == -SIGKILL);
    BOOST_TEST(sandboxes_are_empty());
    running_program next{work({"mail"}, "echo attempt $COWORKER_ATTEMPT")};
    next.wait_for("attempt 2");
    next.wait_for("succeeded");
}

BOOST_AUTO_TEST_CASE(leaves_nothing_when_one_of_its_processes_is_killed)
{
    push({"mail"}, "1\n");
    running_program worker{
        work({"mail", "--backoff", "0s"}, "test $COWORKER_ATTEMPT = 2 && exit; " + with_relatives)};
    worker.wait_for("begun");
    const auto launcher = children_of(worker.id()).at(0);
    ::kill(children_of(launcher).at(0), SIGKILL); // the guardian of the job
    worker.wait_for("retried");
    worker.wait_for("succeeded");
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(sandboxes_are_empty());
}

BOOST_AUTO_TEST_CASE(goes_on_when_a_command_stops_the_process_that_watches_over_it)
{
    push({"mail"}, "1\n");
    running_program worker{work({"mail", "--timeout", "100ms", "--grace", "10ms", "--retries", "0"},
                                "kill -STOP $PPID; sleep 1000")};
    worker.wait_for("its timeout has passed");
    BOOST_TEST(ends_well(worker));
    BOOST_TEST(sandboxes_are_empty());
}

BOOST_AUTO_TEST_CASE(makes_its_folder_again_when_somebody_has_removed_it)
{
    push({"mail"}, "1\n2\n");
    running_program worker{
        work({"mail", "--concurrency", "1", "--retries", "0"}, "pwd; rm -rf ../../coworker-work-*")};
    worker.wait_for("succeeded");
    worker.wait_for("succeeded");
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(gives_up_when_it_can_start_no_commands_any_more)
{
    push({"mail"}, "1\n");
    running_program worker{work({"mail"}, with_relatives)};
    worker.wait_for("begun");
    ::kill(children_of(worker.id()).at(0), SIGKILL);
    worker.wait_for("starts commands was killed");
    worker.read_to_end();
    BOOST_TEST(worker.wait() == 1);
    BOOST_TEST(waiting("mail").size() == 1);
    BOOST_TEST(sandboxes_are_empty());
}

BOOST_AUTO_TEST_CASE(ends_a_command_whose_job_was_taken_away)
{
    push({"mail"}, "1\n");
    running_program worker{work({"mail", "--lease", "3s"},
                                "trap 'echo told; exit' TERM; echo begun; while :; do sleep 0.1; done")};
    worker.wait_for("begun");
    const auto job = server("HKEYS", "hworker-progress-mail").texts().at(0);
    server("HSET", "hworker-progress-mail", job, R"("2999-01-01T00:00:00.000000000099Z")");
    worker.wait_for_all({"lease_lost", "told"});
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(does_not_wait_for_whoever_reads_its_errors)
{
    push({"mail"}, "1\n");
    running_program worker{work({"mail"}, "echo begun; yes >&2")}; // nobody reads from then on
    worker.wait_for("begun");
    worker.signal(SIGKILL);
    worker.wait();
    worker.read_to_end();
    BOOST_TEST(sandboxes_are_empty());
}

BOOST_AUTO_TEST_SUITE_END()
