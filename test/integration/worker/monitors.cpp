// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/command_calls.hpp"
#include "support/expect.hpp"

#include "coworker/managed_queue.hpp"
#include "coworker/monitor.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// A monitor without a worker; see conformance/monitors for what it does.
BOOST_AUTO_TEST_SUITE(monitors)

namespace {

struct watch_test : client_test
{
    monitor_options options() const
    {
        monitor_options result;
        result.observers = {events.observe()};
        return result;
    }

    /// A worker that no longer exists has a job.
    void leave_behind(const std::string& payload)
    {
        server("HSET", "hworker-progress-numbers", payload, R"("2020-01-01T00:00:00.000000000007Z")");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_refused_round_is_told_and_repeated, watch_test)
{
    run([&]() -> asio::awaitable<void> {
        server("SET", "hworker-progress-numbers", "a text");
        coworker::monitor subject{redis, options()};
        subject.watch(numbers);
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await events.wait_for(event_kind::warning);
        server("DEL", "hworker-progress-numbers");
        leave_behind(R"(["a",1])");
        co_await events.wait_for(event_kind::recovered);
        subject.stop();
        co_await running.join();
    });
}

BOOST_FIXTURE_TEST_CASE(a_monitor_without_a_connection_is_replaced_before_its_term_is_over, watch_test)
{
    run([&]() -> asio::awaitable<void> {
        server("SET", "hworker-monitor-numbers", "nobody:0123456789abcdef0123456789abcdef", "PX", 60'000);
        leave_behind(R"(["a",1])");
        coworker::monitor subject{redis, options()};
        subject.watch(numbers);
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await events.wait_for(event_kind::recovered);
        BOOST_TEST(server("GET", "hworker-monitor-numbers").text == redis.client_name());
        subject.stop();
        co_await running.join();
    });
}

// A list of all connections is long where there are many.
BOOST_FIXTURE_TEST_CASE(all_queues_of_a_client_look_together_who_is_connected, watch_test)
{
    constexpr int queues_of_a_kind = 10;
    run([&]() -> asio::awaitable<void> {
        coworker::monitor subject{redis, options()};
        for (int i = 0; i != queues_of_a_kind; ++i) {
            const auto name = "q" + std::to_string(i);
            list_queue<int> list{redis, name};
            managed_queue managed{redis, name};
            // So that they look: the connection that asks holds a job.
            server("HSET", "hworker-progress-" + name, R"(["a",1])",
                   R"("2999-01-01T00:00:00.000000000007Z")");
            subject.watch(list);
            subject.watch(managed);
        }
        const auto looks = [this] { return calls_of(server, "client|list"); };
        const auto begun = std::chrono::steady_clock::now();
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await eventually("they have looked", [&] { return looks() >= 4; });
        // Four times a second at most, whatever the number of queues.
        BOOST_TEST(looks() <= (std::chrono::steady_clock::now() - begun) / 225ms + 1);
        subject.stop();
        co_await running.join();
    });
}

BOOST_FIXTURE_TEST_CASE(a_monitor_ends_when_it_is_cancelled_or_its_client_stops, watch_test)
{
    run([&]() -> asio::awaitable<void> {
        managed_queue mail{redis, "mail"};
        coworker::monitor subject{redis, options()};
        subject.watch(numbers);
        subject.watch(mail);
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await wait_until_armed(3, 1);
        running.cancel();
        BOOST_TEST(!(co_await running.join_and_tell()).empty());

        client other{io.get_executor(), redis_test::options()};
        list_queue<int> others{other, "others"};
        coworker::monitor second{other, options()};
        second.watch(others);
        background again{io.get_executor(), second.async_run(asio::use_awaitable)};
        co_await let_pass(20ms);
        co_await other.async_stop();
        BOOST_TEST(!(co_await again.join_and_tell()).empty());
    });
}

BOOST_FIXTURE_TEST_CASE(what_is_wrong_with_a_monitor_is_said, watch_test)
{
    run([&]() -> asio::awaitable<void> {
        coworker::monitor idle{redis};
        BOOST_TEST(co_await error_of(idle.async_run()) == errc::invalid_worker);
        BOOST_TEST(error_in([&] { coworker::monitor{redis, {.lease = 1ms}}; }) == errc::invalid_option);
        BOOST_TEST(error_in([&] {
                       coworker::monitor{redis, {.worker_grace = -1ms}};
                   }) == errc::invalid_option);
        coworker::monitor stopped{redis};
        stopped.watch(numbers);
        stopped.stop();
        co_await stopped.async_run();
        BOOST_TEST(co_await error_of(stopped.async_run()) == errc::already_running);
    });
}

BOOST_AUTO_TEST_SUITE_END()
