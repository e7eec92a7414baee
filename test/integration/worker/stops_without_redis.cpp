// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include "coworker/managed_queue.hpp"
#include "coworker/monitor.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What stops while Redis is away waits for it once, however many queues there are.
BOOST_AUTO_TEST_SUITE(stops_without_redis)

namespace {

using clock = std::chrono::steady_clock;

constexpr auto limit = is_sanitized ? 2000ms : 1000ms;

struct away_test : redis_test
{
    client_options impatient() const
    {
        auto how = options();
        how.command_timeout = limit;
        how.on_event = events.observe();
        return how;
    }

    /// Has three list queues, of which one is divided, and two managed ones.
    template<class Add>
    static void add_queues(client& redis, Add add)
    {
        raw_list_queue first{redis, "first"}, second{redis, "second"};
        raw_list_queue divided{redis, "divided", {.partitions = 8}};
        managed_queue letters{redis, "letters"}, parcels{redis, "parcels"};
        add(first);
        add(second);
        add(divided);
        add(letters);
        add(parcels);
    }

    /// Until it works on all of them.
    asio::awaitable<void> wait_for_workers()
    {
        co_await eventually("all queues are open", [this] {
            const auto is_there = [this](const std::string& queue) {
                return server("EXISTS", "hworker-workers-" + queue).integer == 1;
            };
            bool all = is_there("first") && is_there("second") && server("EXISTS", "ql:workers").integer == 1;
            for (int i = 0; i != 8; ++i)
                all = all && is_there("{divided:" + std::to_string(i) + "}");
            return all;
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_worker_of_many_queues_waits_for_redis_once, away_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), impatient()};
        worker subject{redis};
        add_queues(redis, [&](auto& queue) { subject.handle(queue, [](raw_json) {}); });
        background running{io.get_executor(), subject.async_run()};
        co_await wait_for_workers();
        server.freeze();
        const auto asked = clock::now();
        subject.stop();
        co_await running.join();
        BOOST_TEST((clock::now() - asked < 2 * limit));
        server.thaw();
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_is_told_twice_does_not_wait_for_redis, away_test)
{
    run([&]() -> asio::awaitable<void> {
        auto patient = impatient();
        patient.command_timeout = 0ms; // would be waited for
        client redis{io.get_executor(), patient};
        worker subject{redis};
        add_queues(redis, [&](auto& queue) { subject.handle(queue, [](raw_json) {}); });
        background running{io.get_executor(), subject.async_run()};
        co_await wait_for_workers();
        server.freeze();
        subject.stop();
        co_await let_pass(20ms);
        BOOST_TEST(!running.has_ended());
        running.cancel();
        const auto asked = clock::now();
        (void)co_await running.join_and_tell();
        BOOST_TEST((clock::now() - asked < 2s));
        server.thaw();
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(outcomes_are_stored_by_a_worker_that_is_told_twice, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) -> asio::awaitable<void> { co_await let_pass(1h); });
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        subject.stop();
        running.cancel();
        (void)co_await running.join_and_tell();
        BOOST_TEST(events.count(event_kind::released) == 1u);
        BOOST_TEST(server("HLEN", "hworker-progress-numbers").integer == 0);
        BOOST_TEST(length() == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(a_monitor_of_many_queues_waits_for_redis_once, away_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), impatient()};
        coworker::monitor subject{redis};
        add_queues(redis, [&](auto& queue) { subject.watch(queue); });
        background running{io.get_executor(), subject.async_run()};
        co_await eventually("it leads", [&] { return server("EXISTS", "ql:coworker:monitor").integer == 1; });
        server.freeze();
        const auto asked = clock::now();
        subject.stop();
        co_await running.join();
        BOOST_TEST((clock::now() - asked < 2 * limit));
        server.thaw();
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
