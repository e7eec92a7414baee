// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/describe/class.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(worker_outcomes)

namespace {

struct outcome_test : client_test
{
    handle_options how;

    /// Runs the jobs 1 to `count` with a handler until `ends` jobs have ended for good.
    template<class Handler>
    asio::awaitable<void> work_on(int count, std::size_t ends, Handler handler)
    {
        for (int n = 1; n <= count; ++n)
            co_await numbers.async_push(n);
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, std::move(handler), how);
        co_await work(subject, ends);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(an_exception_is_a_failure_if_so_configured, outcome_test)
{
    run([&]() -> asio::awaitable<void> {
        how.exceptions = on_exception::fail;
        co_await work_on(4, 4, [](int n) -> asio::awaitable<void> {
            if (n == 1)
                throw std::runtime_error{"thrown at once"};
            co_await let_pass(1ms);
            if (n == 2)
                throw std::runtime_error{"thrown later"};
            if (n == 3)
                throw 17;
        });
        const auto failed = co_await jobs_in(job_state::failed);
        BOOST_REQUIRE(failed.size() == 3u);
        BOOST_TEST(failed[2].message == "thrown at once");
        BOOST_TEST(failed[1].message == "thrown later");
        BOOST_TEST(!failed[0].message.empty());
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_whose_handler_always_throws_waits_ever_longer_and_fails_in_the_end,
                        outcome_test)
{
    run([&]() -> asio::awaitable<void> {
        how.max_attempts = 3;
        how.backoff = exponential_backoff{.initial = 10ms, .jitter = 0};
        co_await work_on(1, 1, [](int) { throw std::runtime_error{"never"}; });
        const auto retries = events.of(event_kind::retried);
        BOOST_REQUIRE(retries.size() == 2u);
        BOOST_TEST((retries[0].delay == 10ms));
        BOOST_TEST((retries[1].delay == 20ms));
        const auto failed = co_await jobs_in(job_state::failed);
        BOOST_REQUIRE(failed.size() == 1u);
        BOOST_TEST(failed[0].message == "never (given up after 3 attempts)");
        BOOST_TEST(failed[0].attempts == 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(payloads_that_do_not_decode_are_recorded_as_broken, outcome_test)
{
    const std::vector<std::string> broken{"",
                                          "false",
                                          "null",
                                          "[]",
                                          R"(["id"])",
                                          R"(["id",1,2])",
                                          R"([1,2])",
                                          R"({})",
                                          "[\"id\",1",
                                          R"(["id",})",
                                          R"(["id","x"])",
                                          R"(["id",1.5])",
                                          R"(["id",1e99])",
                                          "\xff\xfe",
                                          std::string{"[\"a\0b\",1]", 9}};
    for (const auto& payload : broken)
        push_raw(payload);
    run([&]() -> asio::awaitable<void> {
        int runs = 0;
        co_await work_on(1, broken.size() + 1, [&](int) { ++runs; });
        BOOST_TEST(runs == 1);
        const auto found = co_await jobs_in(job_state::broken);
        BOOST_TEST(found.size() == broken.size());
        for (const auto& payload : broken)
            BOOST_TEST(server("HEXISTS", "hworker-broken-numbers", payload).integer == 1, payload);
        for (const auto& job : found) {
            BOOST_TEST(job.ended_at.has_value());
            BOOST_TEST(!job.message.empty());
        }
        BOOST_TEST(co_await act_on_all(job_action::remove, job_state::broken) == broken.size());
        BOOST_TEST(server("EXISTS", "hworker-found-numbers", "hworker-reasons-numbers").integer == 0);
        BOOST_TEST(server("EXISTS", "hworker-progress-numbers").integer == 0);
        for (const auto& event : events.of(event_kind::broken))
            BOOST_TEST(!event.message.empty());
    });
}

BOOST_FIXTURE_TEST_CASE(no_job_does_any_harm_to_another, outcome_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<int> jobs;
        for (int i = 0; i != 500; ++i) {
            jobs.push_back(i);
            if (i % 5 == 0)
                push_raw("broken " + std::to_string(i));
        }
        co_await numbers.async_push_many(jobs);
        worker subject{redis, observed({.concurrency = 20})};
        const auto handler = [](int n, job_context& context) -> asio::awaitable<outcome> {
            switch (n % 5) {
            case 0:
                co_return failure("zero");
            case 1:
                throw std::logic_error{"one"};
            case 2:
                co_return context.attempt() == 1 ? retry("two", 0ms) : success();
            case 3:
                co_await let_pass(1ms);
                throw std::logic_error{"three"};
            default:
                co_return success();
            }
        };
        subject.handle(numbers, handler, {.exceptions = on_exception::fail});
        co_await work(subject, 600);
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.total_succeeded == 200u);
        BOOST_TEST(sizes.total_failed == 300u);
        BOOST_TEST(sizes.total_broken == 100u);
        BOOST_TEST(sizes.total_retried == 100u);
        BOOST_TEST(sizes.waiting + sizes.running + sizes.scheduled == 0u);
        BOOST_TEST(server("EXISTS", "hworker-attempts-numbers").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(equal_payloads_run_as_often_as_they_were_pushed, outcome_test)
{
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 20; ++i)
            push_raw(R"(["same",1])");
        int runs = 0, together = 0, most_together = 0;
        worker subject{redis, observed({.concurrency = 8})};
        subject.handle(numbers, [&](int) -> asio::awaitable<void> {
            most_together = std::max(most_together, ++together);
            co_await let_pass(1ms);
            --together;
            ++runs;
        });
        co_await work(subject, 20);
        BOOST_TEST(runs == 20);
        BOOST_TEST(most_together == 1); // they share one lease
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.waiting + sizes.running == 0u);
        BOOST_TEST(server("EXISTS", "hworker-duplicates-numbers").integer == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
