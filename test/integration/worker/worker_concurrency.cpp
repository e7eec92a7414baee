// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <map>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(worker_concurrency)

namespace {

struct concurrency_test : client_test
{
    list_queue<int> others{redis, "others"};
    std::map<std::string, int> together, most;

    /// Counts how many run at the same time, by queue and all together.
    auto counting()
    {
        return [this](int, job_context& context) -> asio::awaitable<void> {
            const std::string name = context.queue();
            for (const auto& key : {name, std::string{"all"}})
                most[key] = std::max(most[key], ++together[key]);
            co_await let_pass(2ms);
            --together[name];
            --together["all"];
        };
    }

    asio::awaitable<void> fill(list_queue<int>& queue, std::size_t count)
    {
        const std::vector<int> jobs(count, 0);
        co_await queue.async_push_many(jobs);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(as_many_jobs_run_together_as_there_are_places, redis_test)
{
    for (const std::size_t places : {1u, 2u, 7u, 100u, 300u}) {
        concurrency_test each;
        each.run([&]() -> asio::awaitable<void> {
            co_await each.fill(each.numbers, places * 4);
            worker subject{each.redis, each.observed({.concurrency = places})};
            subject.handle(each.numbers, [&](int) -> asio::awaitable<void> {
                // No job ends before all places have been taken once.
                each.most["all"] = std::max(each.most["all"], ++each.together["all"]);
                co_await each.events.wait_for(event_kind::started, places);
                --each.together["all"];
            });
            co_await each.work(subject, places * 4);
            BOOST_TEST(each.most["all"] == static_cast<int>(places));
            BOOST_TEST(subject.running() == 0u);
        });
    }
}

BOOST_FIXTURE_TEST_CASE(a_queue_has_a_limit_of_its_own, concurrency_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(numbers, 60);
        co_await fill(others, 60);
        worker subject{redis, observed({.concurrency = 10, .order = queue_order::round_robin})};
        subject.handle(numbers, counting(), {.concurrency = 3});
        subject.handle(others, counting());
        co_await work(subject, 120);
        BOOST_TEST(most["numbers"] == 3);
        BOOST_TEST(most["others"] >= 7);
        BOOST_TEST(most["all"] == 10);
    });
}

BOOST_FIXTURE_TEST_CASE(limits_hold_for_jobs_that_were_fetched_ahead, concurrency_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(numbers, 1'000);
        co_await fill(others, 1'000);
        worker subject{redis, observed({.concurrency = 4, .order = queue_order::round_robin})};
        std::size_t held = 0;
        const auto short_one = [&](int, job_context& context) -> asio::awaitable<void> {
            const std::string name = context.queue();
            for (const auto& key : {name, std::string{"all"}})
                most[key] = std::max(most[key], ++together[key]);
            held = std::max(held, subject.running());
            co_await asio::post(io, asio::use_awaitable);
            --together[name];
            --together["all"];
        };
        subject.handle(numbers, short_one, {.concurrency = 1});
        subject.handle(others, short_one);
        auto running = start(subject);
        std::size_t pushed = 2'000;
        co_await events.wait_for(event_kind::succeeded, pushed);
        // On a busy machine, handlers in a row are seldom short; with a sanitizer perhaps never.
        while (held <= 4 && pushed < 20'000 && !is_sanitized) {
            co_await fill(numbers, 1'000);
            co_await fill(others, 1'000);
            pushed += 2'000;
            co_await events.wait_for(event_kind::succeeded, pushed);
        }
        co_await stop(subject, running);
        BOOST_TEST(most["numbers"] == 1);
        BOOST_TEST(most["all"] == 4);
        BOOST_TEST((held > 4u || is_sanitized));
    });
}

BOOST_FIXTURE_TEST_CASE(a_full_queue_does_not_hold_up_others_in_strict_order, concurrency_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(numbers, 2);
        co_await fill(others, 5);
        asio::steady_timer gate{io, asio::steady_timer::time_point::max()};
        worker subject{redis, observed({.concurrency = 10})};
        subject.handle(numbers,
                       [&](int) -> asio::awaitable<void> {
                           boost::system::error_code ignored;
                           co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
                       },
                       {.concurrency = 1});
        subject.handle(others, counting());
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded, 5); // while the first one waits
        BOOST_TEST(subject.running() == 1u);
        gate.cancel();
        co_await events.wait_for(event_kind::succeeded, 6);
        co_await events.wait_for(event_kind::started, 7);
        gate.cancel();
        co_await events.wait_for(event_kind::succeeded, 7);
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_are_taken_as_places_become_free, concurrency_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(numbers, 1000);
        worker subject{redis, observed({.concurrency = 4})};
        subject.handle(numbers, counting());
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 4);
        // No more are leased than can run.
        BOOST_TEST(server("HLEN", "hworker-progress-numbers").integer <= 4 + 4);
        co_await events.wait_for(event_kind::succeeded, 1000);
        co_await stop(subject, running);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 1000u);
    });
}

BOOST_FIXTURE_TEST_CASE(two_workers_share_a_session, concurrency_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(numbers, 50);
        co_await fill(others, 50);
        worker first{redis, observed({.concurrency = 2})}, second{redis, observed({.concurrency = 3})};
        first.handle(numbers, counting());
        second.handle(others, counting());
        auto run_first = start(first);
        auto run_second = start(second);
        co_await events.wait_for(event_kind::succeeded, 100);
        co_await stop(first, run_first);
        co_await stop(second, run_second);
        BOOST_TEST(most["numbers"] == 2);
        BOOST_TEST(most["others"] == 3);
    });
}

BOOST_FIXTURE_TEST_CASE(two_workers_of_one_session_share_a_queue, concurrency_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(numbers, 200);
        worker first{redis, observed({.concurrency = 2})}, second{redis, observed({.concurrency = 2})};
        first.handle(numbers, counting());
        second.handle(numbers, counting());
        auto run_first = start(first);
        auto run_second = start(second);
        co_await events.wait_for(event_kind::succeeded, 200);
        co_await stop(first, run_first);
        co_await stop(second, run_second);
        BOOST_TEST(most["numbers"] == 4);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 200u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
