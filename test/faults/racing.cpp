// SPDX-License-Identifier: MIT
#include "fault_test.hpp"

#include "coworker/job_source.hpp"
#include "coworker/list_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <set>
#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Several workers want the same job: one gets it.
BOOST_AUTO_TEST_SUITE(racing)

namespace {

constexpr int jobs = is_sanitized ? 200 : 1'000;
constexpr int many = 5 * jobs;

struct race_test : fault_test
{
    /// Jobs as a worker leaves them that is gone and not registered any more; their leases have ended.
    void leave_expired(int count)
    {
        for (int i = 0; i != count; ++i) {
            const auto number = std::to_string(i);
            server("HSET", "hworker-progress-q", "[\"job-" + number + "\"," + number + ']',
                   "\"2026-01-02T03:04:05.000000000042Z\"");
        }
    }

    /// One round of a monitor.
    asio::awaitable<void> recover(client& redis, std::size_t& count)
    {
        list_queue<int> queue{redis, "q"};
        const auto source = queue.make_source();
        co_await source->open();
        count = (co_await source->recover(60'000ms, 1'500ms)).recovered;
    }

    std::int64_t recovered()
    {
        const auto count = server("HGET", "hworker-counters-q", "recovered");
        return count.is_nil() ? 0 : std::stoll(count.text);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(expired_jobs_are_recovered_once_by_several_workers, race_test)
{
    leave_expired(jobs);
    const auto workers = start_workers(3);
    wait_for_jobs(jobs);
    BOOST_TEST(recovered() == jobs);
    BOOST_TEST(record.runs() == static_cast<std::size_t>(jobs));
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(expired_jobs_are_recovered_once_by_monitors_at_the_same_time, race_test)
{
    leave_expired(many);
    run([&]() -> asio::awaitable<void> {
        client one{io.get_executor(), options()}, two{io.get_executor(), options()};
        std::size_t by_one = 0, by_two = 0;
        background first{io.get_executor(), recover(one, by_one)};
        // Its claim to be the only monitor is lost, as when it has been slow.
        co_await eventually("it leads", [&] { return server("DEL", "hworker-monitor-q").integer == 1; });
        background second{io.get_executor(), recover(two, by_two)};
        co_await first.join();
        co_await second.join();
        BOOST_TEST_MESSAGE(by_one << " recovered by the first, " << by_two << " by the second");
        BOOST_TEST(by_one + by_two == static_cast<std::size_t>(many));
        co_await one.async_stop();
        co_await two.async_stop();
    });
    BOOST_TEST(recovered() == many);
    BOOST_TEST(waiting() == many);
    BOOST_TEST(in_progress() == 0);
    const auto attempts = server("HVALS", "hworker-attempts-q").texts();
    BOOST_TEST(std::count(attempts.begin(), attempts.end(), "1") == many);
    const auto payloads = server("LRANGE", "hworker-jobs-q", 0, -1).texts();
    BOOST_TEST(std::set<std::string>(payloads.begin(), payloads.end()).size() ==
               static_cast<std::size_t>(many));
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_was_frozen_past_its_lease_changes_nothing_any_more, race_test)
{
    const fault_worker_options slow{.concurrency = 10, .lease = 4'000ms, .handler = 300ms};
    push_numbers(0, 10);
    auto still_at_work = slow; // when it is frozen, however late that is
    still_at_work.handler = 3'000ms;
    auto frozen = start_worker(still_at_work);
    wait_until("it has taken the jobs", [&] { return in_progress() == 10; });
    frozen.signal(SIGSTOP);
    // Its connection stays open, so it is the leases' end that tells.
    const auto other = start_worker(slow);
    wait_until("the other worker has done them", [&] { return acknowledged() == 10; });
    BOOST_TEST(recovered() == 10);
    record.refresh();
    BOOST_TEST(record.runs_by(other.id()) == 10U);

    push_numbers(10, 20);
    frozen.signal(SIGCONT);
    wait_for_jobs(20);
    frozen.signal(SIGTERM);
    BOOST_TEST(frozen.wait() == 0);
    BOOST_TEST(recovered() == 10);
    check_all_done(20);
}

BOOST_AUTO_TEST_SUITE_END()
