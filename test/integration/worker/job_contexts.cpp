// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(job_contexts)

BOOST_FIXTURE_TEST_CASE(a_handler_learns_about_its_job, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto before = std::chrono::system_clock::now() - 1s;
        const auto id = co_await numbers.async_push(1);
        co_await numbers.async_push(2, {.id = "own"});
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, [&](int n, job_context& context) -> asio::awaitable<outcome> {
            BOOST_TEST(context.queue() == "numbers");
            BOOST_TEST(!context.cancelled());
            if (n == 2) {
                BOOST_TEST(context.id() == "own");
                BOOST_TEST(!context.queued_at().has_value());
                co_return success();
            }
            BOOST_TEST(context.id() == id);
            const auto queued = context.queued_at();
            BOOST_REQUIRE(queued.has_value());
            BOOST_TEST((*queued > before && *queued < std::chrono::system_clock::now() + 1s));
            const auto stored = server("HGETALL", "hworker-progress-numbers").pairs();
            BOOST_TEST(stored.at("[\"" + id + "\",1]") == context.lease_token());
            co_return context.attempt() == 1 ? retry("again", 0ms) : success();
        });
        co_await work(subject, 2);
        const auto started = events.of(event_kind::started);
        BOOST_REQUIRE(started.size() == 3u);
        BOOST_TEST(started.back().attempt == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(extend_starts_the_lease_again, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int, job_context& context) -> asio::awaitable<void> {
            const std::string before = context.lease_token();
            BOOST_TEST((co_await context.async_extend()).has_value());
            BOOST_TEST(context.lease_token() > before);
            const auto stored = server("HGETALL", "hworker-progress-numbers").pairs();
            BOOST_REQUIRE(stored.size() == 1u);
            BOOST_TEST(stored.begin()->second == context.lease_token());
        });
        co_await work(subject, 1);
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
        BOOST_TEST((co_await numbers.async_sizes()).running == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(extend_tells_that_the_lease_is_lost, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        bool told = false;
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int, job_context& context) -> asio::awaitable<outcome> {
            take_away();
            for (int i = 0; i != 2; ++i)
                told = (co_await context.async_extend()).error() == errc::lease_lost;
            BOOST_TEST(context.cancelled());
            co_return success();
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::lease_lost);
        co_await stop(subject, running);
        BOOST_TEST(told);
        BOOST_TEST(events.count(event_kind::succeeded) == 0u);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(the_cancellation_slot_is_told_of_the_end, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        auto told = asio::cancellation_type::none;
        worker subject{redis, observed()};
        subject.handle(numbers,
                       [&](int, job_context& context) -> asio::awaitable<void> {
                           context.cancellation_slot().assign(
                               [&](asio::cancellation_type type) { told = type; });
                           co_await let_pass(1h);
                       },
                       {.timeout = 30ms, .exceptions = on_exception::fail});
        co_await work(subject, 1);
        BOOST_TEST((told == asio::cancellation_type::terminal));
    });
}

BOOST_FIXTURE_TEST_CASE(many_handlers_extend_at_the_same_time, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> jobs(300, 1);
        co_await numbers.async_push_many(jobs);
        worker subject{redis, observed({.concurrency = 300})};
        subject.handle(numbers,
                       [&](int, job_context& context) -> asio::awaitable<void> {
                           for (int i = 0; i != 5; ++i) {
                               BOOST_TEST((co_await context.async_extend()).has_value());
                               co_await let_pass(1ms);
                           }
                       },
                       {.lease = 30s});
        co_await work(subject, 300);
        BOOST_TEST(events.count(event_kind::succeeded) == 300u);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 300u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
