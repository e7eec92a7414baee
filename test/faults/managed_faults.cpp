// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "support/qless_client.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What the other suites do to list queues, done to a managed queue.
BOOST_AUTO_TEST_SUITE(managed_faults)

namespace {

constexpr std::size_t jobs = is_sanitized ? 800 : 3'000;

struct managed_fault_test : fault_test, qless_client
{
    explicit managed_fault_test(redis_server_options options = {})
        : fault_test{std::move(options), "managed:mail"}, qless_client{server}
    {}

    /// Puts the numbers below `count`; each may be lost with its worker many times.
    void put_numbers(std::size_t count)
    {
        const auto script = server("SCRIPT", "LOAD", detail::find_script("managed/put").text()).text;
        std::vector<std::vector<std::string>> all;
        for (std::size_t i = 0; i != count; ++i) {
            const auto number = std::to_string(i);
            all.push_back({"EVALSHA", script, "1", "ql:", "server", "", "mail", "job-" + number, "Job",
                           number, "0", "retries", "1000"});
        }
        for (const auto& put : server.raw().pipeline(all))
            BOOST_TEST_REQUIRE(!put.is_error(), put.text);
    }

    std::int64_t completed() { return server("ZCARD", "ql:completed").integer; }
    std::int64_t running() { return server("ZCARD", "ql:q:mail-locks").integer; }

    void wait_for_jobs(std::size_t count)
    {
        wait_until("all jobs are complete", [&] { return completed() == static_cast<std::int64_t>(count); });
    }

    void check_all_done(std::size_t count)
    {
        record.refresh();
        BOOST_TEST_MESSAGE(record.runs() << " runs of " << record.jobs() << " jobs, " << record.repeated()
                                         << " jobs ran more than once");
        BOOST_TEST(record.missing(count) == 0u);
        BOOST_TEST(running() == 0);
        BOOST_TEST(server("ZCARD", "ql:q:mail-work").integer == 0);
        BOOST_TEST(server("SCARD", "ql:failures").integer == 0);
        BOOST_TEST(broken() == "");
        BOOST_TEST(worker_log().find("fallback_poll") == std::string::npos);
    }
};

/// With data that survive Redis itself being killed.
struct managed_restart_test : managed_fault_test
{
    managed_restart_test() : managed_fault_test{{.append_only = true}} {}

    /// Lets two workers work and disturbs them several times on the way.
    void disturb(int times, const std::function<void()>& disturbance)
    {
        put_numbers(jobs);
        const auto first = start_worker(), second = start_worker();
        for (int i = 0; i != times; ++i) {
            wait_for_some_runs(jobs / 20, jobs);
            disturbance();
        }
        wait_for_jobs(jobs);
        check_all_done(jobs);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(workers_killed_at_random_moments_lose_nothing, managed_fault_test)
{
    put_numbers(jobs);
    const auto survivors = kill_workers(8, jobs);
    wait_for_jobs(jobs); // a lock lasts a minute, so this rests on the closed connections
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(workers_with_handlers_on_threads_lose_nothing, managed_fault_test)
{
    put_numbers(jobs);
    const auto survivors = kill_workers(4, jobs, {.threads = true});
    wait_for_jobs(jobs);
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(workers_with_handlers_of_many_lose_nothing, managed_fault_test)
{
    put_numbers(jobs);
    const auto survivors = kill_workers(4, jobs, {.many = true});
    wait_for_jobs(jobs);
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(all_workers_killed_at_once_lose_nothing, managed_fault_test)
{
    put_numbers(jobs);
    kill_all_workers(3, jobs);
    const auto survivor = start_worker();
    wait_for_jobs(jobs);
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(a_killed_redis_that_comes_back_loses_nothing, managed_restart_test)
{
    disturb(3, [this] {
        server.kill();
        server.restart();
    });
}

BOOST_FIXTURE_TEST_CASE(connections_cut_again_and_again_lose_nothing, managed_restart_test)
{
    disturb(10, [this] { server("CLIENT", "KILL", "TYPE", "pubsub"); });
}

BOOST_FIXTURE_TEST_CASE(a_redis_that_forgets_its_scripts_is_given_them_again, managed_restart_test)
{
    disturb(5, [this] { server("SCRIPT", "FLUSH"); });
}

BOOST_FIXTURE_TEST_CASE(a_frozen_worker_s_jobs_run_elsewhere_and_its_own_outcomes_come_too_late,
                        managed_fault_test)
{
    set_option("heartbeat", "3");
    set_option("grace-period", "0.5");
    put_numbers(40);
    auto frozen = start_worker({.concurrency = 5, .handler = 3s});
    wait_until("it works", [&] { return running() == 5; });
    frozen.signal(SIGSTOP);
    const auto other = start_worker({.concurrency = 5, .handler = 10ms});
    wait_for_jobs(40);
    frozen.signal(SIGCONT);
    wait_until("it has noticed", [&] { return worker_log().find("lease_lost") != std::string::npos; });
    frozen.signal(SIGTERM);
    check_all_done(40);
}

BOOST_FIXTURE_TEST_CASE(workers_that_stop_under_load_give_their_jobs_back_uncounted, managed_fault_test)
{
    put_numbers(jobs);
    for (int rounds = 0; rounds != 3; ++rounds) {
        work_and_stop({.concurrency = 50, .handler = 100ms, .drain = 0ms}, jobs / 8, jobs);
        BOOST_TEST(running() == 0);
        BOOST_TEST(server("ZCARD", "ql:workers").integer == 0);
        BOOST_TEST(completed() == static_cast<std::int64_t>(record.refresh().runs()));
    }
    const auto rest = start_worker();
    wait_for_jobs(jobs);
    check_all_done(jobs);
    BOOST_TEST(record.runs() == jobs);
    for (std::size_t number = 0; number < jobs; number += 100)
        BOOST_TEST(history("job-" + std::to_string(number)).find("failed") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
