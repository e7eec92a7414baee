// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(worker_retries)

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
