// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "support/cutting_proxy.hpp"

#include "coworker/list_queue.hpp"
#include "coworker/worker.hpp"
#include "redis/script.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <map>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// The connection is lost when Redis has handed out jobs and the worker has not heard of it.
BOOST_AUTO_TEST_SUITE(unanswered_take)

namespace {

const std::string take{detail::find_script("list/ack_and_fetch").sha};

struct unanswered_test : fault_test
{
    cutting_proxy proxy{io.get_executor(), server.folder().file("proxy.sock"), server.socket_path()};
    client redis{io.get_executor(), {.url = proxy.url()}};
    list_queue<int> numbers{redis, "q"};
    worker subject{redis, {.concurrency = 20, .observers = {events.observe()}}};
    std::map<int, int> runs, attempts;

    void handle()
    {
        // Or the first take would be answered with NOSCRIPT, and that would be lost.
        server("SCRIPT", "LOAD", detail::find_script("list/ack_and_fetch").text());
        subject.handle(numbers, [this](int number, job_context& context) {
            ++runs[number];
            attempts[number] = static_cast<int>(context.attempt());
        });
    }

    /// Lets the next take be carried out and not be answered.
    asio::awaitable<void> lose_a_take()
    {
        co_await eventually("jobs have been taken and not delivered",
                            [&] { return proxy.is_swallowing() && in_progress() != 0; });
        proxy.cut();
    }

    /// The leases are of two minutes; the jobs run nevertheless, now, and once.
    asio::awaitable<void> check_that_all_run(std::size_t count)
    {
        co_await eventually("all jobs have run", [&] { return runs.size() == count; });
        co_await eventually("all are acknowledged",
                            [&] { return acknowledged() == static_cast<std::int64_t>(count); });
        for (const auto& [number, times] : runs)
            BOOST_TEST(times == 1, number << " ran " << times << " times");
        BOOST_TEST(in_progress() == 0);
        BOOST_TEST(events.count(event_kind::recovered) == 0U, "no monitor had to help");
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0U);
    }

    asio::awaitable<void> end(background& run)
    {
        subject.stop();
        co_await run.join();
        co_await redis.async_stop();
        proxy.close();
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(jobs_of_a_first_take_that_was_not_answered_run_at_once, unanswered_test)
{
    push_numbers(0, 50);
    handle();
    run([&]() -> asio::awaitable<void> {
        proxy.swallow_answer_to(take);
        background working{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await lose_a_take();
        co_await check_that_all_run(50);
        for (const auto& [number, attempt] : attempts)
            BOOST_TEST(attempt == 1, "a job that was never delivered has not been tried");
        co_await end(working);
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_of_a_take_that_was_not_answered_run_at_once, unanswered_test)
{
    handle();
    run([&]() -> asio::awaitable<void> {
        background working{io.get_executor(), subject.async_run(asio::use_awaitable)};
        std::size_t pushed = 0;
        for (int round = 0; round != 5; ++round) {
            co_await wait_until_armed(5, 1);
            proxy.swallow_answer_to(take);
            push_numbers(pushed, pushed + 50);
            pushed += 50;
            co_await lose_a_take();
            co_await check_that_all_run(pushed);
        }
        co_await end(working);
    });
}

BOOST_FIXTURE_TEST_CASE(an_acknowledgement_that_was_not_answered_counts_once, unanswered_test)
{
    bool may_end = false;
    subject.handle(numbers, [&](int number) -> asio::awaitable<void> {
        ++runs[number];
        co_await eventually("the handler may end", [&] { return may_end; });
    });
    run([&]() -> asio::awaitable<void> {
        background working{io.get_executor(), subject.async_run(asio::use_awaitable)};
        for (std::size_t round = 1; round != 6; ++round) {
            may_end = false;
            push_numbers(10 * (round - 1), 10 * round);
            co_await eventually("they run", [&] { return runs.size() == 10 * round; });
            proxy.swallow_answer_to(take); // the same script acknowledges
            may_end = true;
            co_await eventually("they are acknowledged and nobody heard of it", [&] {
                return proxy.is_swallowing() && acknowledged() > static_cast<std::int64_t>(10 * (round - 1));
            });
            proxy.cut();
            co_await events.wait_for(event_kind::reconnected, round);
        }
        co_await check_that_all_run(50);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0U);
        co_await end(working);
    });
    check_all_done(50);
}

BOOST_AUTO_TEST_SUITE_END()
