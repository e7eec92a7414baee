// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(worker_retries)

BOOST_FIXTURE_TEST_CASE(a_retry_with_a_delay_runs_when_it_is_due, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers, [](int, job_context& context) {
            return context.attempt() == 1 ? retry("later", 300ms) : success();
        });
        auto running = start(subject);
        const auto retried = co_await events.wait_for(event_kind::retried);
        BOOST_TEST((retried.delay == 300ms));
        co_await eventually("it is scheduled",
                            [&] { return server("ZCARD", "hworker-scheduled-numbers").integer == 1; });
        BOOST_TEST(server("HLEN", "hworker-attempts-numbers").integer == 1);
        const auto started = co_await events.wait_for(event_kind::started, 2);
        BOOST_TEST(started.attempt == 2u);
        BOOST_TEST((started.when - retried.when >= 299ms));
        co_await events.wait_for(event_kind::succeeded);
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        co_await stop(subject, running);
        BOOST_TEST(server("EXISTS", "hworker-attempts-numbers").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(the_back_off_decides_where_the_handler_does_not, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        std::vector<unsigned> asked;
        worker subject{redis, observed()};
        subject.handle(
            numbers,
            [](int, job_context& context) { return context.attempt() < 4 ? retry("again") : success(); },
            {.backoff = [&](unsigned attempt) {
                asked.push_back(attempt);
                return std::chrono::milliseconds{10 * attempt};
            }});
        co_await work(subject, 1);
        const std::vector<unsigned> expected{1, 2, 3};
        BOOST_TEST(asked == expected, boost::test_tools::per_element());
        for (const auto& event : events.of(event_kind::retried))
            BOOST_TEST((event.delay == std::chrono::milliseconds{10 * event.attempt}));
    });
}

BOOST_FIXTURE_TEST_CASE(a_back_off_that_throws_is_replaced, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(
            numbers, [](int) { return retry("again"); },
            {.backoff = [](unsigned) -> std::chrono::milliseconds { throw std::runtime_error{"no"}; }});
        auto running = start(subject);
        const auto retried = co_await events.wait_for(event_kind::retried);
        BOOST_TEST((retried.delay > 0ms));
        co_await stop(subject, running);
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.scheduled + sizes.overdue == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_fails_when_its_attempts_are_used_up, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        std::vector<unsigned> attempts;
        worker subject{redis, observed()};
        subject.handle(numbers,
                       [&](int, job_context& context) {
                           attempts.push_back(context.attempt());
                           return retry("cannot", 0ms);
                       },
                       {.max_attempts = 3});
        co_await work(subject, 1);
        const std::vector<unsigned> expected{1, 2, 3};
        BOOST_TEST(attempts == expected, boost::test_tools::per_element());
        const auto failed = co_await jobs_in(job_state::failed);
        BOOST_REQUIRE(failed.size() == 1u);
        BOOST_TEST(failed.front().attempts == 3u);
        BOOST_TEST(failed.front().message.starts_with("cannot"), failed.front().message);
        BOOST_TEST(failed.front().message.find("3 attempts") != std::string::npos, failed.front().message);
        BOOST_TEST(server("EXISTS", "hworker-attempts-numbers").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(without_a_limit_a_job_may_be_tried_for_ever, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(
            numbers,
            [](int, job_context& context) { return context.attempt() < 60 ? retry("no", 0ms) : success(); },
            {.max_attempts = 0});
        co_await work(subject, 1);
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
        BOOST_TEST(events.count(event_kind::retried) == 59u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_that_was_lost_too_often_with_its_worker_is_not_run_again, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::string payload = R"(["poison",1])";
        push_raw(payload);
        server("HSET", "hworker-attempts-numbers", payload, 3);
        int runs = 0;
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int) { ++runs; }, {.max_attempts = 3});
        co_await work(subject, 1);
        BOOST_TEST(runs == 0);
        const auto failed = co_await jobs_in(job_state::failed);
        BOOST_REQUIRE(failed.size() == 1u);
        BOOST_TEST(failed.front().message.find("given up") != std::string::npos);
    });
}

BOOST_FIXTURE_TEST_CASE(many_retries_return_in_their_order, client_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<int> jobs;
        for (int i = 0; i != 200; ++i)
            jobs.push_back(i);
        co_await numbers.async_push_many(jobs);
        std::vector<int> second;
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, [&](int n, job_context& context) {
            if (context.attempt() == 1)
                return retry("once more", 0ms);
            second.push_back(n);
            return success();
        });
        co_await work(subject, 200);
        BOOST_TEST(second == jobs, boost::test_tools::per_element());
    });
}

BOOST_AUTO_TEST_SUITE_END()
