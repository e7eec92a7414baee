// SPDX-License-Identifier: MIT
#include "conformance/worker_test.hpp"
#include "support/expect.hpp"

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// When `worker::async_run` ends, apart from what it leaves behind (see stopping).
BOOST_AUTO_TEST_SUITE(running)

BOOST_AUTO_TEST_CASE(a_worker_stopped_before_it_runs_returns_at_once)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        kind.push("a");
        one.subject.stop();
        one.start(one.hold());
        co_await one.running().join();
        BOOST_TEST(one.events.count(event_kind::started) == 0u);
        BOOST_TEST(kind.waiting() == 1);
    });
}

BOOST_AUTO_TEST_CASE(a_worker_runs_once)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        kind.push("a");
        one.start(one.hold());
        co_await one.events.wait_for(event_kind::started);
        BOOST_TEST(co_await error_of(one.subject.async_run()) == errc::already_running);
        const auto handle_another = [&] {
            one.subject.handle_source<std::string>(kind.make_source(), one.hold());
        };
        BOOST_TEST(error_in(handle_another) == errc::already_running);
        one.open_gate();
        co_await one.stop();
        BOOST_TEST(co_await error_of(one.subject.async_run()) == errc::already_running);
        worker idle{kind.io};
        BOOST_TEST(co_await error_of(idle.async_run()) == errc::invalid_worker);
    });
}

BOOST_AUTO_TEST_CASE(a_worker_stops_while_it_connects)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        kind.server()->kill();
        kind.call_timeout = 24h; // for as long a worker would try to sign off
        test_worker one{kind};
        one.start(one.hold());
        co_await kind.connections.wait_for(event_kind::disconnected, 2);
        co_await one.stop();
        BOOST_TEST(one.events.count(event_kind::started) == 0u);
    });
}

BOOST_AUTO_TEST_CASE(run_ends_when_its_client_does)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        push_all(kind, numbered(3));
        one.start(test_worker::run_for_ever);
        co_await one.events.wait_for(event_kind::started, 3);
        co_await kind.kill(one.number);
        BOOST_TEST(co_await error_of([&] { return one.running().join(); }) == errc::stopped);
        BOOST_TEST(kind.running() == 3); // the monitor of another worker returns them
    });
}

BOOST_AUTO_TEST_CASE(stop_may_be_called_again_and_again)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind};
        push_all(kind, numbered(3));
        one.start(one.hold());
        co_await one.events.wait_for(event_kind::started, 3);
        one.subject.stop();
        one.subject.stop();
        co_await one.events.wait_for(event_kind::stopping);
        one.subject.stop();
        one.open_gate();
        co_await one.running().join();
        one.subject.stop();
        BOOST_TEST(one.events.count(event_kind::stopping) == 1u);
        BOOST_TEST(one.events.count(event_kind::stopped) == 1u);
        BOOST_TEST(kind.left_of_workers() == "");
    });
}

BOOST_AUTO_TEST_SUITE_END()
