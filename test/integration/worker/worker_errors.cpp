// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What a worker does about a Redis that it cannot work with; see conformance/stopping for how it ends otherwise.
BOOST_AUTO_TEST_SUITE(worker_errors)

BOOST_FIXTURE_TEST_CASE(a_worker_stops_although_redis_is_gone, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        auto impatient = options();
        impatient.command_timeout = 500ms;
        client redis{io.get_executor(), impatient};
        list_queue<int> numbers{redis, "numbers"};
        server("LPUSH", "hworker-jobs-numbers", R"(["id",1])");
        worker subject{redis, {.shutdown_timeout = 0ms, .observers = {events.observe()}}};
        subject.handle(numbers, [](int) -> asio::awaitable<void> { co_await let_pass(1h); });
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await events.wait_for(event_kind::started);
        server.kill();
        subject.stop();
        co_await running.join();
        BOOST_TEST(events.count(event_kind::stopped) == 1u);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(run_tells_what_is_wrong_with_a_key, redis_test)
{
    for (const char* part : {"jobs", "progress", "broken", "failed", "scheduled", "attempts", "duplicates",
                             "failures", "counters", "workers", "gone"}) {
        client_test each;
        const std::string key = std::string{"hworker-"} + part + "-numbers";
        each.server("SET", key, "something else");
        each.run([&]() -> asio::awaitable<void> {
            worker subject{each.redis, each.observed()};
            subject.handle(each.numbers, [](int) {});
            const auto error = co_await error_of(subject.async_run());
            BOOST_TEST(error == errc::wrong_key_type);
            BOOST_TEST(error.says(key), error);
        });
    }
}

BOOST_FIXTURE_TEST_CASE(run_tells_what_is_wrong_with_the_server, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        auto unknown = options();
        unknown.user = "nobody";
        unknown.password = "secret";
        client redis{io.get_executor(), unknown};
        list_queue<int> numbers{redis, "numbers"};
        worker subject{redis};
        subject.handle(numbers, [](int) {});
        BOOST_TEST(co_await error_of(subject.async_run()) == errc::authentication_refused);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
