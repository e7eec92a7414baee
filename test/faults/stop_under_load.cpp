// SPDX-License-Identifier: MIT
#include "fault_test.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <vector>

using namespace coworker::test;
using namespace std::chrono_literals;

/// A worker that is told to stop gives back what it does not finish.
BOOST_AUTO_TEST_SUITE(stop_under_load)

namespace {

constexpr std::size_t jobs = is_sanitized ? 600 : 2'000;

struct stop_test : fault_test
{
    /// Starts workers, lets them work for a while, and tells all of them to stop.
    void work_and_stop(fault_worker_options options)
    {
        fault_test::work_and_stop(options, jobs / 8, jobs);
        BOOST_TEST(in_progress() == 0);
        BOOST_TEST(server("EXISTS", "hworker-workers-q").integer == 0);
        BOOST_TEST(server("EXISTS", "hworker-attempts-q").integer == 0, "giving back counts no attempt");
        record.refresh();
        BOOST_TEST(acknowledged() == static_cast<std::int64_t>(record.runs()));
        BOOST_TEST(waiting() == static_cast<std::int64_t>(jobs - record.runs()));
    }

    /// A further worker does the rest, and nothing that was done already.
    void finish()
    {
        const auto rest = start_worker({.handler = 1ms});
        wait_for_jobs(jobs);
        check_all_done(jobs);
        BOOST_TEST(record.runs() == jobs);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(workers_told_to_stop_finish_what_runs, stop_test)
{
    push_numbers(0, jobs);
    work_and_stop({.concurrency = 50, .handler = 20ms});
    finish();
}

BOOST_FIXTURE_TEST_CASE(workers_that_may_not_drain_give_their_jobs_back, stop_test)
{
    push_numbers(0, jobs);
    work_and_stop({.concurrency = 50, .handler = 500ms, .drain = 0ms});
    BOOST_TEST(waiting() > 0);
    finish();
}

BOOST_FIXTURE_TEST_CASE(workers_with_handlers_on_threads_give_their_jobs_back, stop_test)
{
    push_numbers(0, jobs);
    work_and_stop({.concurrency = 50, .handler = 20ms, .threads = true});
    work_and_stop({.concurrency = 50, .handler = 500ms, .drain = 0ms, .threads = true});
    BOOST_TEST(waiting() > 0);
    finish();
}

BOOST_FIXTURE_TEST_CASE(workers_with_handlers_of_many_give_their_jobs_back, stop_test)
{
    push_numbers(0, jobs);
    work_and_stop({.concurrency = 50, .handler = 20ms, .many = true});
    work_and_stop({.concurrency = 50, .handler = 500ms, .drain = 0ms, .many = true});
    BOOST_TEST(waiting() > 0);
    finish();
}

BOOST_FIXTURE_TEST_CASE(jobs_that_take_longer_than_the_drain_time_run_in_the_next_worker, stop_test)
{
    push_numbers(0, 40);
    auto stuck = start_worker({.concurrency = 30, .handler = 3'600'000ms, .drain = 100ms});
    wait_until("it has taken its jobs", [&] { return in_progress() == 30; });
    stuck.signal(SIGTERM);
    BOOST_TEST(stuck.wait() == 0);
    BOOST_TEST(in_progress() == 0);
    BOOST_TEST(waiting() == 40);
    // In front of those that were never taken.
    for (int i = 30; i != 40; ++i)
        BOOST_TEST(server("LINDEX", "hworker-jobs-q", 39 - i).text ==
                   "[\"job-" + std::to_string(i) + "\"," + std::to_string(i) + "]");
    const auto next = start_worker();
    wait_for_jobs(40);
    BOOST_TEST(record.runs() == 40U);
}

BOOST_FIXTURE_TEST_CASE(a_rolling_restart_runs_every_job_once, stop_test)
{
    std::size_t pushed = jobs;
    push_numbers(0, pushed);
    auto workers = start_workers(2, {.drain = 0ms});
    for (std::size_t i = 0; i != 6; ++i) {
        // Chosen before more are pushed than are waited for, so that none has run out however slowly this goes.
        const auto until = record.refresh().runs() + random_between(1, jobs / 8);
        push_numbers(pushed, pushed + jobs / 4);
        pushed += jobs / 4;
        wait_for_runs(until);
        auto& old = workers[i % workers.size()];
        wait_until_it_listens(old);
        old.signal(SIGTERM);
        BOOST_TEST(old.wait() == 0);
        old = start_worker({.drain = 0ms});
    }
    wait_for_jobs(pushed);
    check_all_done(pushed);
    BOOST_TEST(record.runs() == pushed);
}

BOOST_AUTO_TEST_SUITE_END()
