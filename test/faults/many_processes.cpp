// SPDX-License-Identifier: MIT
#include "fault_test.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

using namespace coworker::test;
using namespace std::chrono_literals;

/// Many jobs, several processes: each job runs once.
BOOST_AUTO_TEST_SUITE(many_processes)

namespace {

constexpr std::size_t jobs = is_sanitized ? 10'000 : 100'000;
constexpr std::size_t jobs_in_bursts = jobs / 4;
constexpr fault_worker_options busy{.concurrency = 100, .handler = 0ms};

struct process_test : fault_test
{
    std::vector<process> workers;

    void check_each_ran_once(std::size_t count)
    {
        wait_for_jobs(count);
        check_all_done(count);
        BOOST_TEST(record.runs() == count);
        for (const auto& worker : workers)
            BOOST_TEST_MESSAGE("process " << worker.id() << " ran " << record.runs_by(worker.id()));
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(four_processes_share_a_long_queue, process_test)
{
    push_numbers(0, jobs);
    workers = start_workers(4, busy);
    check_each_ran_once(jobs);
}

BOOST_FIXTURE_TEST_CASE(four_waiting_processes_share_what_comes_in_bursts, process_test)
{
    workers = start_workers(4, busy);
    // Each with three keys for jobs, three for leases, one for the number of partitions, and one for schedules, or two: Redis
    // 7.0 tracks what a script is given.
    const auto of_schedules = server.raw().info("server", "redis_version").starts_with("7.0.") ? 2 : 1;
    wait_until("all wait for jobs", [&] {
        return server.raw().info("stats", "tracking_total_items") == std::to_string(4 * (7 + of_schedules));
    });
    for (std::size_t pushed = 0; pushed < jobs_in_bursts;) {
        const auto burst = std::min(jobs_in_bursts, pushed + random_between(1, jobs_in_bursts / 10));
        push_numbers(pushed, burst);
        pushed = burst;
        // Now and then they run dry, and have to be woken.
        if (random_between(0, 1) == 0)
            wait_until("the queue is empty", [&] { return waiting() == 0; });
    }
    check_each_ran_once(jobs_in_bursts);
}

BOOST_AUTO_TEST_SUITE_END()
