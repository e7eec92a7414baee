// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/asio/require.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// The coroutines that go from one handler to the next.
BOOST_AUTO_TEST_SUITE(runners)

BOOST_FIXTURE_TEST_CASE(what_a_handler_sets_for_its_coroutine_ends_with_its_job, client_test)
{
    run([&]() -> asio::awaitable<void> {
        for (int i = 1; i <= 4; ++i) // taken together, so that one runner has them all
            co_await numbers.async_push(i);
        std::set<int> throwing, cancellable;
        bool was_called_by_an_old_slot = false;
        worker subject{redis, observed({.concurrency = 10, .shutdown_timeout = 0ms})};
        subject.handle(numbers, [&](int number) -> asio::awaitable<void> {
            if (co_await asio::this_coro::throw_if_cancelled())
                throwing.insert(number);
            auto state = co_await asio::this_coro::cancellation_state;
            if (state.slot().is_connected())
                cancellable.insert(number);
            if (number == 4) {
                co_await let_pass(1h);
                co_return;
            }
            co_await asio::this_coro::throw_if_cancelled(false);
            if (number == 2)
                state.slot().assign([&](asio::cancellation_type) { was_called_by_an_old_slot = true; });
            if (number == 3)
                co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 4);
        co_await stop(subject, running);
        const std::set<int> all{1, 2, 3, 4};
        BOOST_TEST(throwing == all, boost::test_tools::per_element());
        BOOST_TEST(cancellable == all, boost::test_tools::per_element());
        BOOST_TEST(!was_called_by_an_old_slot);
        BOOST_TEST(events.count(event_kind::released) == 1u);
    });
}

// The executor may be one that runs nothing inside of what it runs already.
BOOST_FIXTURE_TEST_CASE(an_executor_that_never_blocks_runs_as_many_handlers_together, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        auto alone = options();
        alone.thread_safe = false;
        const asio::any_io_executor never = asio::require(io.get_executor(), asio::execution::blocking.never);
        client redis{never, alone};
        list_queue<int> numbers{redis, "numbers"};
        for (int i = 0; i != 20; ++i)
            co_await numbers.async_push(i);
        worker subject{redis, {.concurrency = 10, .observers = {events.observe()}}};
        std::size_t running_now = 0, most = 0;
        subject.handle(numbers, [&](int) -> asio::awaitable<void> {
            most = std::max(most, ++running_now);
            while (most < 10) // the test ends after its time if they never run together
                co_await let_pass(1ms);
            --running_now;
        });
        background running{io.get_executor(), subject.async_run()};
        co_await events.wait_for(event_kind::succeeded, 20);
        subject.stop();
        co_await running.join();
        BOOST_TEST(most == 10u);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
