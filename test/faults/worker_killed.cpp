// SPDX-License-Identifier: MIT
#include "fault_test.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <vector>

using namespace coworker::test;
using namespace std::chrono_literals;

/// SIGKILL at any moment loses no job.
BOOST_AUTO_TEST_SUITE(worker_killed)

namespace {

constexpr std::size_t jobs = is_sanitized ? 1'500 : 4'000;

} // namespace

BOOST_FIXTURE_TEST_CASE(workers_killed_at_random_moments_lose_nothing, fault_test)
{
    push_numbers(0, jobs);
    const auto survivors = kill_workers(10, jobs);
    wait_for_jobs(jobs);
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(workers_with_handlers_on_threads_lose_nothing, fault_test)
{
    push_numbers(0, jobs);
    const auto survivors = kill_workers(6, jobs, {.threads = true});
    wait_for_jobs(jobs);
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(workers_with_handlers_of_many_lose_nothing, fault_test)
{
    push_numbers(0, jobs);
    const auto survivors = kill_workers(6, jobs, {.many = true});
    wait_for_jobs(jobs);
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(the_only_worker_killed_while_it_starts_or_works_loses_nothing, fault_test)
{
    push_numbers(0, jobs / 4);
    for (int kills = 0; kills != 8; ++kills) {
        auto victim = start_worker();
        // From before its first take to the middle of its work.
        const auto enough = kills % 2 == 0 ? in_progress() + 1 : 0;
        wait_until("it has taken jobs", [&] { return in_progress() >= enough || is_idle(); });
        wait_for_some_runs(jobs / 100, jobs / 4);
        victim.kill();
    }
    const auto survivor = start_worker();
    wait_for_jobs(jobs / 4);
    check_all_done(jobs / 4);
}

BOOST_FIXTURE_TEST_CASE(all_workers_killed_at_once_lose_nothing, fault_test)
{
    push_numbers(0, jobs);
    kill_all_workers(3, jobs);
    const auto survivor = start_worker();
    wait_for_jobs(jobs);
    check_all_done(jobs);
}

BOOST_AUTO_TEST_SUITE_END()
