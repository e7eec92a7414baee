// SPDX-License-Identifier: MIT
#include "support/expect.hpp"
#include "support/redis_test.hpp"

#include "coworker/list_queue.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

// That nothing is left at work afterwards is checked by `run` itself.
BOOST_AUTO_TEST_SUITE(client_lifetime)

namespace {

/// Pushes a job; tells what went wrong.
background push_in_background(asio::io_context& io, list_queue<int>& to, thrown& told)
{
    return {io.get_executor(), [](list_queue<int>& queue, thrown& result) -> asio::awaitable<void> {
                result = co_await error_of(queue.async_push(1));
            }(to, told)};
}

} // namespace

BOOST_FIXTURE_TEST_CASE(an_unused_session_can_be_destroyed, redis_test)
{
    client unused{io.get_executor(), options()};
    BOOST_TEST(io.run() == 0u);
}

BOOST_FIXTURE_TEST_CASE(an_unused_session_can_be_stopped, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        co_await redis.async_stop();
        BOOST_TEST(co_await error_of(redis.async_connect()) == errc::stopped);
        BOOST_TEST(co_await error_of(redis.async_ping()) == errc::stopped);
    });
}

BOOST_FIXTURE_TEST_CASE(redis_answers_a_ping, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        auto hurried = options();
        hurried.connect_timeout = hurried.command_timeout = 100ms;
        client redis{io.get_executor(), hurried};
        while ((co_await error_of(redis.async_ping())).code)
            continue; // until this machine is as fast as that
        server.kill();
        BOOST_TEST((co_await error_of(redis.async_ping())).code.has_value());
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(stop_may_be_called_twice, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        co_await redis.async_connect();
        background other{io.get_executor(), redis.async_stop(asio::use_awaitable)};
        co_await redis.async_stop();
        co_await redis.async_stop();
        co_await other.join();
        co_await eventually("the connection is gone",
                            [&] { return server.raw().info("clients", "connected_clients") == "1"; });
    });
}

BOOST_FIXTURE_TEST_CASE(a_stopped_session_cannot_be_used_again, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        list_queue<int> numbers{redis, "numbers"};
        co_await numbers.async_push(1);
        co_await redis.async_stop();
        BOOST_TEST(co_await error_of(numbers.async_push(1)) == errc::stopped);
        BOOST_TEST(co_await error_of(redis.async_connect()) == errc::stopped);
    });
}

BOOST_FIXTURE_TEST_CASE(calls_that_wait_for_an_answer_fail_when_the_session_stops, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        list_queue<int> numbers{redis, "numbers"};
        co_await redis.async_connect();
        server.freeze();
        thrown first, second;
        auto push = push_in_background(io, numbers, first);
        auto another = push_in_background(io, numbers, second);
        co_await let_pass(10ms);
        co_await redis.async_stop();
        co_await push.join();
        co_await another.join();
        BOOST_TEST(first == errc::stopped);
        BOOST_TEST(second == errc::stopped);
        server.thaw();
    });
}

BOOST_FIXTURE_TEST_CASE(calls_that_wait_for_a_connection_fail_when_the_session_stops, redis_test)
{
    server.kill();
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), observed_options()};
        list_queue<int> numbers{redis, "numbers"};
        thrown error;
        auto push = push_in_background(io, numbers, error);
        co_await events.wait_for(event_kind::disconnected, 2);
        co_await redis.async_stop();
        co_await push.join();
        BOOST_TEST(error == errc::stopped);
    });
}

BOOST_FIXTURE_TEST_CASE(calls_that_wait_fail_when_the_session_is_destroyed, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        std::optional<client> redis{std::in_place, io.get_executor(), options()};
        list_queue<int> numbers{*redis, "numbers"};
        co_await redis->async_connect();
        server.freeze();
        thrown error;
        auto push = push_in_background(io, numbers, error);
        co_await let_pass(10ms);
        redis.reset();
        co_await push.join();
        BOOST_TEST(error == errc::stopped);
        server.thaw();
    });
}

BOOST_FIXTURE_TEST_CASE(a_session_can_be_destroyed_at_any_step_of_its_life, redis_test)
{
    // Cut off after 1, 2, 3… steps of the context.
    for (unsigned steps = 0; steps != 60; ++steps) {
        auto redis = std::make_unique<client>(io.get_executor(), options());
        list_queue<int> numbers{*redis, "numbers"};
        background push{io.get_executor(),
                        [](std::unique_ptr<client>& alive, list_queue<int>& to) -> asio::awaitable<void> {
                            co_await alive->async_connect();
                            while (alive)
                                co_await to.async_push(1);
                        }(redis, numbers)};
        io.restart();
        for (unsigned i = 0; i <= steps; ++i) // from the first, which starts the coroutine
            io.run_one_for(20ms);
        redis.reset();
        io.restart();
        io.run_for(patience);
        BOOST_REQUIRE_MESSAGE(io.stopped(), "something is still at work after " << steps << " steps");
        BOOST_REQUIRE(push.has_ended());
    }
}

BOOST_FIXTURE_TEST_CASE(a_context_can_be_destroyed_at_any_step_of_a_session, redis_test)
{
    for (unsigned steps = 0; steps != 60; ++steps) {
        std::optional<asio::io_context> context{std::in_place, 1};
        auto redis = std::make_unique<client>(context->get_executor(), options());
        auto numbers = std::make_unique<list_queue<int>>(*redis, "numbers");
        // The coroutine owns what it uses: its frame goes with the context.
        asio::co_spawn(
            *context,
            [](std::unique_ptr<client>, std::unique_ptr<list_queue<int>> to) -> asio::awaitable<void> {
                for (;;)
                    co_await to->async_push(1);
            }(std::move(redis), std::move(numbers)),
            [](std::exception_ptr) {});
        for (unsigned i = 0; i != steps; ++i)
            context->run_one_for(20ms);
        context.reset();
    }
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_call_leaves_the_session_in_order, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        list_queue<int> numbers{redis, "numbers"};
        co_await redis.async_connect();
        server.freeze();
        thrown error;
        auto push = push_in_background(io, numbers, error);
        co_await let_pass(10ms);
        push.cancel();
        co_await push.join();
        BOOST_TEST((error.code == asio::error::operation_aborted), error);
        server.thaw();
        co_await numbers.async_push(2);
        BOOST_TEST((co_await numbers.async_sizes()).waiting >= 1u);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
