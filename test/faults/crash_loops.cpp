// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "support/qless_client.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <thread>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// A handler crashes its program, and a service manager starts that again: monitors end as often as workers do.
BOOST_AUTO_TEST_SUITE(crash_loops)

namespace {

using clock = std::chrono::steady_clock;

constexpr auto periods = {500ms, 1000ms, 1500ms, 2000ms, 3000ms, 5000ms};

/// Far below the minute of a lease or a lock.
constexpr auto soon = is_sanitized ? 25s : 15s;

struct crash_loop : fault_test
{
    explicit crash_loop(std::string queue) : fault_test{{}, std::move(queue)} {}

    /// Starts a worker that takes the only job, kills it after each period, and starts it again, until the job has been
    /// returned. Returns how long that was after the first crash.
    clock::duration time_until_returned(std::chrono::milliseconds period,
                                        const std::function<bool()>& is_taken,
                                        const std::function<bool()>& is_returned)
    {
        auto first = start_worker({.concurrency = 1, .handler = 60s});
        wait_until("the job has been taken", is_taken);
        first.kill();
        const auto crashed = clock::now();
        while (!is_returned() && clock::now() - crashed < 2 * soon) {
            auto next = start_worker({.concurrency = 1, .handler = 60s});
            wait_until_it_listens(next);
            for (const auto end = clock::now() + period; clock::now() < end && !is_returned();)
                std::this_thread::sleep_for(10ms); // how long it lives is what this is about
            next.kill();
        }
        return clock::now() - crashed;
    }
};

struct list_loop : crash_loop
{
    list_loop() : crash_loop{"q"} {}
};

struct managed_loop : crash_loop, qless_client
{
    managed_loop() : crash_loop{"managed:mail"}, qless_client{server} {}
};

void check_soon(std::chrono::milliseconds period, clock::duration time)
{
    const auto shown = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    BOOST_TEST_MESSAGE("one crash each " << period.count() << " ms: returned after " << shown << " ms");
    BOOST_TEST((time < soon),
               "one crash each " << period.count() << " ms: returned after " << shown << " ms");
}

} // namespace

BOOST_FIXTURE_TEST_CASE(the_job_of_a_list_queue_that_the_first_crash_left_runs_soon, list_loop)
{
    for (const auto period : periods) {
        server("FLUSHALL");
        push_numbers(0, 1);
        check_soon(period, time_until_returned(
                               period, [&] { return in_progress() == 1; },
                               [&] { return server("HLEN", "hworker-attempts-q").integer == 1; }));
    }
}

BOOST_FIXTURE_TEST_CASE(the_managed_job_that_the_first_crash_left_runs_soon, managed_loop)
{
    for (const auto period : periods) {
        server("FLUSHALL");
        qless("put", "", "mail", "job", "Job", "0", "0", "retries", "1000");
        check_soon(period, time_until_returned(
                               period, [&] { return server("ZCARD", "ql:q:mail-locks").integer == 1; },
                               [&] { return server("HGET", "ql:j:job", "remaining").text == "999"; }));
    }
}

BOOST_AUTO_TEST_SUITE_END()
