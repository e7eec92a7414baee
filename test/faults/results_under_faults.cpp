// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "support/qless_client.hpp"

#include "coworker/managed_queue.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Results and checkpoints while workers are killed: each waiter gets the result, and no part that was saved is
/// repeated.
BOOST_AUTO_TEST_SUITE(results_under_faults)

namespace {

constexpr int jobs = is_sanitized ? 100 : 400, parts = 4;

struct result_fault_test : fault_test, qless_client
{
    result_fault_test() : fault_test{{}, "managed:mail"}, qless_client{server} {}

    client redis{io.get_executor(), options()};
    managed_queue mail{redis, "mail"};
    int resumed = 0, ended = 0; ///< results of runs that did not begin at the beginning; of all

    void put_numbers()
    {
        for (int i = 0; i != jobs; ++i)
            put("job-" + std::to_string(i), "Job", std::to_string(i), "retries", "1000");
    }

    asio::awaitable<void> wait_for(int number)
    {
        const auto jid = "job-" + std::to_string(number);
        const auto made = co_await mail.async_wait_for<std::vector<int>>(jid);
        BOOST_TEST_REQUIRE(made.size() == 2u);
        BOOST_TEST(made[0] == number);
        resumed += made[1] == 0 ? 0 : 1;
        ++ended;
    }

    /// Kills one of three workers again and again.
    asio::awaitable<std::vector<process>> kill_some(int times)
    {
        fault_worker_options how;
        how.handler = 10ms;
        how.results = true;
        auto workers = start_workers(3, how);
        for (int i = 0; i != times; ++i) {
            const auto target = record.refresh().runs() + random_between(1, jobs * parts / 12);
            co_await eventually("so many parts or all jobs are done",
                                [&] { return record.refresh().runs() >= target || ended == jobs; });
            auto& victim = workers[random_between(0, workers.size() - 1)];
            victim.kill();
            victim = start_worker(how);
        }
        co_return workers;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(waiters_of_killed_workers_jobs_get_their_results, result_fault_test)
{
    put_numbers();
    run([&]() -> asio::awaitable<void> {
        std::vector<background> waiters;
        for (int i = 0; i != jobs; ++i)
            waiters.emplace_back(io.get_executor(), wait_for(i));
        const auto survivors = co_await kill_some(8);
        for (auto& waiter : waiters)
            co_await waiter.join();
        co_await redis.async_stop();
    });
    record.refresh();
    BOOST_TEST_MESSAGE(resumed << " of " << jobs << " jobs went on at a checkpoint");
    BOOST_TEST(ended == jobs);
    BOOST_TEST(resumed > 0);
    for (int i = 0; i != jobs; ++i) {
        for (int part = 0; part != parts; ++part) // one that was saved is not done again
            BOOST_TEST(record.runs_of(std::to_string(i) + ':' + std::to_string(part)) <= 1u);
        BOOST_TEST(field("job-" + std::to_string(i), "checkpoint") == "");
    }
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
