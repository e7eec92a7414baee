// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include "coworker/job_taker.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/monitor.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// "For ever" in every option: nothing fails, and nothing is done by halves.
BOOST_AUTO_TEST_SUITE(longest_durations)

namespace {

const auto forever = std::chrono::milliseconds::max();

} // namespace

BOOST_FIXTURE_TEST_CASE(a_client_may_wait_for_ever_for_everything, connection_test)
{
    auto patient = observed_options();
    patient.connect_timeout = patient.command_timeout = patient.health_check_interval = forever;
    patient.reconnect_delay_minimum = patient.reconnect_delay_maximum = forever;
    patient.poll_interval = std::chrono::years{300};
    run_with(patient, [](client& redis, list_queue<int>& numbers) -> asio::awaitable<void> {
        co_await redis.async_connect();
        co_await numbers.async_push(1);
        BOOST_TEST((co_await numbers.async_sizes()).waiting == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(times_below_zero_are_refused, connection_test)
{
    const auto made = [&](auto member) {
        auto options = observed_options();
        options.*member = -1ms;
        return error_in([&] { client{io.get_executor(), options}; });
    };
    BOOST_TEST(made(&client_options::connect_timeout) == errc::invalid_option);
    BOOST_TEST(made(&client_options::command_timeout) == errc::invalid_option);
    BOOST_TEST(made(&client_options::health_check_interval) == errc::invalid_option);
}

BOOST_FIXTURE_TEST_CASE(jobs_may_be_remembered_and_delayed_for_ever, client_test)
{
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 2; ++i)
            co_await numbers.async_push(1, {.id = "once", .unique_for = forever});
        BOOST_TEST(length() == 1);
        co_await numbers.async_push(2, {.delay = forever});
        BOOST_TEST((co_await numbers.async_sizes()).scheduled == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_and_a_monitor_may_wait_for_ever, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed({.shutdown_timeout = forever})};
        subject.handle(numbers, [](int, job_context& context) { context.set_timeout(forever); },
                       {.lease = forever,
                        .timeout = forever,
                        .expiry = forever,
                        .result_retention = forever,
                        .worker_grace = forever});
        co_await work(subject, 1);
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);

        monitor watching{redis, {.lease = forever, .worker_grace = forever}};
        watching.watch(numbers);
        background running{io.get_executor(), watching.async_run()};
        co_await numbers.async_push(2);
        watching.stop();
        co_await running.join();
    });
}

BOOST_FIXTURE_TEST_CASE(a_retry_may_wait_for_ever, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) { return retry("later", forever); });
        auto running = start(subject);
        co_await events.wait_until("a retry",
                                   [](const event_log& log) { return log.count(event_kind::retried) == 1; });
        co_await stop(subject, running);
        BOOST_TEST((co_await numbers.async_sizes()).scheduled == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_that_are_taken_may_be_leased_for_ever, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        job_taker taker{redis, {.lease = forever}};
        const auto taken = co_await taker.async_take(queue_ref::list("numbers"), {.wait = forever});
        BOOST_TEST(taken.size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_of_managed_queues_may_have_them_too, client_test)
{
    managed_queue queue{redis, "managed"};
    run([&]() -> asio::awaitable<void> {
        managed_push_options how;
        how.timeout = how.expiry = how.retention = how.result_retention = forever;
        how.backoff = exponential_backoff{.initial = forever, .maximum = forever};
        how.unique = {.key = "key", .unique_for = forever};
        co_await queue.async_push("kind", 1, how);
        co_await queue.async_push("kind", 2, {.delay = forever});
        const auto counts = co_await queue.async_counts();
        BOOST_TEST(counts.waiting == 1u);
        BOOST_TEST(counts.scheduled == 1u);
        co_await queue.async_recur("kind", 1, std::chrono::seconds::max(), {.offset = forever});
        co_await queue.async_set_heartbeat(forever);
        worker subject{redis, observed()};
        subject.handle(queue, [](raw_json) { return success_with(1, forever); });
        co_await work(subject, 1);
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
