// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What wakes a waiting worker of a list queue in particular; see conformance/idle_workers.
BOOST_AUTO_TEST_SUITE(waiting)

namespace {

/// Of these a waiting worker reads three: jobs, scheduled, paused. A monitor takes its time to go to sleep again.
constexpr std::size_t keys_per_queue = 3;
const handle_options without_monitor{.monitor = false};

struct waiting_test : client_test
{
    std::optional<worker> subject;
    std::optional<background> running;

    /// Starts a worker and waits until it sleeps.
    asio::awaitable<void> fall_asleep()
    {
        subject.emplace(redis, observed());
        subject->handle(
            numbers, [](int) {}, without_monitor);
        running.emplace(start(*subject));
        co_await wait_until_armed(keys_per_queue);
    }

    asio::awaitable<void> finish()
    {
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        co_await stop(*subject, *running);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_job_pushed_through_the_same_session_starts_at_once, waiting_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fall_asleep();
        for (unsigned i = 1; i <= 50; ++i) {
            co_await numbers.async_push(1);
            co_await events.wait_for(event_kind::succeeded, i);
        }
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(any_write_that_makes_a_job_available_wakes_the_worker, waiting_test)
{
    const std::string payload = R"(["a",1])";
    server("LPUSH", "elsewhere", payload, payload, payload);
    server("HSET", "hworker-broken-numbers", payload, R"("2020-01-01T00:00:00Z")");
    server("LPUSH", "hworker-failed-numbers", payload);
    run([&]() -> asio::awaitable<void> {
        co_await fall_asleep();
        unsigned count = 0;
        const auto expect_one_more = [&]() -> asio::awaitable<void> {
            co_await events.wait_for(event_kind::succeeded, ++count);
            co_await wait_until_armed(keys_per_queue);
        };
        server("RPUSH", "hworker-jobs-numbers", payload);
        co_await expect_one_more();
        server("LMOVE", "elsewhere", "hworker-jobs-numbers", "LEFT", "LEFT");
        co_await expect_one_more();
        server("EVAL", "return redis.call('LPUSH', KEYS[1], ARGV[1])", 1, "hworker-jobs-numbers", payload);
        co_await expect_one_more();
        co_await act_on_all(job_action::retry, job_state::broken);
        co_await expect_one_more();
        co_await act_on_all(job_action::retry, job_state::failed);
        co_await expect_one_more();
        server("RENAME", "elsewhere", "hworker-jobs-numbers"); // two are left in it
        co_await expect_one_more();
        co_await events.wait_for(event_kind::succeeded, ++count);
        co_await finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_waits_in_another_database_too, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), {.url = server.url() + "?db=5"}};
        list_queue<int> numbers{redis, "numbers"};
        worker subject{redis, {.observers = {events.observe()}}};
        subject.handle(
            numbers, [](int) {}, without_monitor);
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await wait_until_armed(keys_per_queue);
        server("SELECT", 5);
        server("LPUSH", "hworker-jobs-numbers", R"(["a",1])");
        co_await events.wait_for(event_kind::succeeded);
        subject.stop();
        co_await running.join();
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
