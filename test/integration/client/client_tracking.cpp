// SPDX-License-Identifier: MIT
#include "support/redis_test.hpp"

#include "coworker/list_queue.hpp"
#include "coworker/worker.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(client_tracking)

namespace {

/// A server whose user may not use CLIENT TRACKING.
struct refusing_test : redis_test
{
    refusing_test()
        : redis_test{{.config = {{"user", "ada", "on", ">secret", "~*", "&*", "+@all", "-client|tracking"}}}}
    {}

    client_options options() const
    {
        auto result = observed_options();
        result.user = "ada";
        result.password = "secret";
        result.poll_interval = 10ms;
        return result;
    }
};

/// Starts a worker that waits, pushes from outside, and expects the job to run.
asio::awaitable<void> work_by_polling(redis_test& test, client_options options)
{
    event_log log{test.io.get_executor()};
    client redis{test.io.get_executor(), std::move(options)};
    list_queue<int> numbers{redis, "numbers"};
    worker subject{redis, {.observers = {log.observe()}}};
    subject.handle(numbers, [](int) {});
    background run{test.io.get_executor(), subject.async_run(asio::use_awaitable)};
    co_await redis.async_connect();
    for (unsigned i = 1; i <= 3; ++i) {
        test.server("LPUSH", "hworker-jobs-numbers", R"(["a",1])");
        co_await log.wait_for(event_kind::succeeded, i);
    }
    BOOST_TEST(log.count(event_kind::fallback_poll_found_work) == 0u);
    BOOST_TEST(test.server.raw().info("clients", "tracking_clients") == "0");
    subject.stop();
    co_await run.join();
    co_await redis.async_stop();
}

} // namespace

BOOST_FIXTURE_TEST_CASE(where_tracking_is_refused_queues_are_polled, refusing_test)
{
    run([&] { return work_by_polling(*this, options()); });
    const auto warnings = events.of(event_kind::warning);
    BOOST_REQUIRE(warnings.size() == 1u);
    BOOST_TEST(warnings.front().message.find("polled") != std::string::npos, warnings.front().message);
}

/// A service that has removed the whole command, as some do.
BOOST_AUTO_TEST_CASE(where_there_is_no_command_client_queues_are_polled)
{
    redis_test test{{.config = {{"rename-command", "CLIENT", ""}}}};
    test.run([&]() -> asio::awaitable<void> {
        auto how = test.observed_options();
        how.poll_interval = 10ms;
        event_log log{test.io.get_executor()};
        client redis{test.io.get_executor(), how};
        list_queue<int> numbers{redis, "numbers"};
        worker subject{redis, {.observers = {log.observe()}}};
        subject.handle(numbers, [](int) {});
        background run{test.io.get_executor(), subject.async_run(asio::use_awaitable)};
        for (int i = 1; i <= 3; ++i) {
            co_await numbers.async_push(i);
            co_await log.wait_for(event_kind::succeeded, static_cast<std::size_t>(i));
        }
        subject.stop();
        co_await run.join();
        co_await redis.async_stop();
        for (const auto* words : {"CLIENT ID is refused", "polled"}) {
            const auto told = test.events.of(event_kind::warning);
            BOOST_TEST(
                std::any_of(told.begin(), told.end(),
                            [&](const auto& each) { return each.message.find(words) != std::string::npos; }),
                words);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(tracking_can_be_switched_off, redis_test)
{
    auto polling = observed_options();
    polling.tracking = false;
    polling.poll_interval = 10ms;
    run([&] { return work_by_polling(*this, polling); });
    BOOST_TEST(events.count(event_kind::warning) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_polling_worker_recovers_jobs_too, refusing_test)
{
    run([&]() -> asio::awaitable<void> {
        event_log log{io.get_executor()};
        client redis{io.get_executor(), options()};
        list_queue<int> numbers{redis, "numbers"};
        worker subject{redis, {.observers = {log.observe()}}};
        subject.handle(numbers, [](int) {}, {.lease = 100ms});
        background run{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await redis.async_connect();
        // A peer took it long ago and never came back.
        server("HSET", "hworker-progress-numbers", R"(["a",1])", R"("2020-01-01T00:00:00Z")");
        co_await log.wait_for(event_kind::succeeded);
        co_await log.wait_for(event_kind::recovered);
        BOOST_TEST(log.total(event_kind::recovered) == 1u);
        subject.stop();
        co_await run.join();
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
