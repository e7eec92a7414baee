// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "support/cutting_proxy.hpp"

#include "support/qless_client.hpp"

#include "coworker/list_queue.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/worker.hpp"
#include "redis/script.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What a worker does when it is connected again: it asks Redis which jobs are still its own.
BOOST_AUTO_TEST_SUITE(broken_connections)

namespace {

const std::string ack_and_fetch{detail::find_script("list/ack_and_fetch").sha};

/// A worker behind a proxy, with leases of two minutes: nothing below rests on their end.
struct broken_connection_test : fault_test, qless_client
{
    cutting_proxy proxy{io.get_executor(), server.folder().file("proxy.sock"), server.socket_path()};
    client redis{io.get_executor(), {.url = proxy.url(), .on_event = events.observe()}};
    list_queue<int> numbers{redis, "q"};
    managed_queue mail{redis, "mail"};
    bool may_end = false;

    broken_connection_test() : qless_client{server} {}

    template<class Job>
    auto hold()
    {
        return [this](Job) -> asio::awaitable<void> {
            while (!may_end)
                co_await let_pass(10ms);
        };
    }

    background work_on_both(worker& subject)
    {
        subject.handle(numbers, hold<int>());
        subject.handle(mail, hold<raw_json>());
        return {io.get_executor(), subject.async_run(asio::use_awaitable)};
    }

    asio::awaitable<void> end(worker& subject, background& run)
    {
        may_end = true;
        subject.stop();
        co_await run.join();
        co_await redis.async_stop();
        proxy.close();
    }

    std::string token_of(const std::string& payload)
    {
        return server("HGET", "hworker-progress-q", payload).text;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_loss_is_told_although_a_later_renewal_is_not_answered, broken_connection_test)
{
    constexpr std::size_t jobs = 200; // more than one renewal takes
    push_numbers(0, jobs);
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, {.concurrency = 2 * jobs, .observers = {events.observe()}}};
        subject.handle(numbers, hold<int>(), {.lease = 9s, .monitor = false});
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await events.wait_for(event_kind::started, jobs);
        const auto started = events.of(event_kind::started);
        const std::string first = started.front().job_id, last = started.back().job_id;
        server("HSET", "hworker-progress-q", "[\"" + first + "\"," + first.substr(4) + "]",
               R"("2999-01-01T00:00:00.000000000099Z")");
        proxy.swallow_answer_to(last); // that of the renewal which this job goes with
        const auto lost = co_await events.wait_for(event_kind::lease_lost);
        BOOST_TEST(lost.job_id == first);
        BOOST_TEST(lost.message == "another worker or the monitor took it");
        co_await eventually("the next renewal is sent", [&] { return proxy.is_swallowing(); });
        proxy.cut();
        co_await events.wait_for(event_kind::reconnected);
        co_await end(subject, running);
    });
    BOOST_TEST(events.count(event_kind::lease_lost) == 1u);
}

BOOST_FIXTURE_TEST_CASE(leases_are_renewed_on_a_new_connection, broken_connection_test)
{
    push_numbers(0, 3);
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, {.observers = {events.observe()}}};
        auto running = work_on_both(subject);
        co_await events.wait_for(event_kind::started, 4);
        for (std::size_t i = 1; i <= 3; ++i) {
            proxy.cut();
            co_await events.wait_until("all leases to be renewed", [i](const event_log& log) {
                return log.total(event_kind::leases_renewed) >= 4 * i;
            });
        }
        co_await end(subject, running);
    });
    BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_run_that_was_replaced_during_a_break_ends_with_the_reconnection,
                        broken_connection_test)
{
    push_numbers(0, 1);
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, {.observers = {events.observe()}}};
        auto running = work_on_both(subject);
        co_await events.wait_for(event_kind::started, 2);
        // While the connection is broken, others take the jobs and run them.
        const auto payload = server("HKEYS", "hworker-progress-q").texts().at(0);
        proxy.cut();
        server("HSET", "hworker-progress-q", payload, R"("2999-01-01T00:00:00.000000000099Z")");
        server("HSET", "ql:j:a", "worker", "someone");
        co_await events.wait_for(event_kind::lease_lost, 2);
        server("HSET", "ql:j:a", "worker", redis.client_name());
        co_await end(subject, running);
    });
    BOOST_TEST(events.count(event_kind::succeeded) == 0u);
}

BOOST_FIXTURE_TEST_CASE(jobs_whose_acknowledgement_a_failover_has_lost_run_again_at_once,
                        broken_connection_test)
{
    push_numbers(0, 1);
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, {.observers = {events.observe()}}};
        auto running = work_on_both(subject);
        co_await events.wait_for(event_kind::started, 2);
        // As the new primary has it: jobs that this worker has done are still with it.
        const auto held = server("HKEYS", "hworker-progress-q").texts().at(0);
        server("HSET", "hworker-progress-q", R"(["done",7])", token_of(held));
        qless("pause", "mail");
        put("b", "Letter");
        qless("unpause", "mail");
        co_await events.wait_for(event_kind::started, 3);
        co_await eventually("it is only in the database that b runs", [&] {
            server("HSET", "ql:j:b", "time", "1");
            return field("b", "time") == "1";
        });
        proxy.cut();
        co_await events.wait_for(event_kind::started, 5);
        co_await end(subject, running);
    });
    const auto all = events.of(event_kind::started);
    const auto times = [&](std::string_view id) {
        return std::count_if(all.begin(), all.end(), [&](const recorded_event& e) { return e.job_id == id; });
    };
    BOOST_TEST(times("a") == 1);
    BOOST_TEST(times("b") == 2);
    BOOST_TEST(times("done") == 1);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(an_equal_payload_of_a_take_that_was_not_answered_runs_at_once, broken_connection_test)
{
    const std::string payload = R"(["twin",1])";
    server("LPUSH", "hworker-jobs-q", payload, payload);
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, {.concurrency = 1, .observers = {events.observe()}}};
        subject.handle(numbers, hold<int>());
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await events.wait_for(event_kind::started);
        const auto token = token_of(payload);
        // The step that stores the first's outcome takes the second, and nobody hears of it.
        proxy.swallow_answer_to(ack_and_fetch);
        may_end = true;
        co_await eventually("the second is leased", [&] {
            const auto now = token_of(payload);
            return !now.empty() && now != token;
        });
        proxy.cut();
        co_await eventually("both have run", [&] { return acknowledged() == 2; });
        co_await end(subject, running);
    });
    BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
    BOOST_TEST(events.total(event_kind::recovered) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
