// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/command_calls.hpp"

#include "list/list_source/list_source.hpp"
#include "list/start_time.hpp"
#include "redis/connection/connection.hpp"
#include "redis/roll_call.hpp"

#include <boost/redis/request.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <ctime>
#include <list>
#include <map>
#include <optional>
#include <thread>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// The monitor of a list queue. Which leases it takes back: test/scripts/list/recover_leases.cpp; of dead workers:
/// conformance/monitors.
BOOST_AUTO_TEST_SUITE(monitor)

namespace {

std::string payload(int n)
{
    return "[\"id" + std::to_string(n) + "\"," + std::to_string(n) + "]";
}

/// A start time of coworker's own form, of the worker with a number.
std::string start_of(const std::string& date, int worker)
{
    char digits[8];
    std::snprintf(digits, sizeof digits, "%06d", worker % 1'000'000);
    return "\"" + date + "T00:00:00.000000" + digits + "Z\"";
}

struct monitor_test : client_test
{
    std::vector<int> ran;
    std::map<int, unsigned> attempts;

    auto note()
    {
        return [this](int n, job_context& context) {
            ran.push_back(n);
            attempts[n] = context.attempt();
        };
    }

    void set_progress(const std::string& job, const std::string& start)
    {
        server("HSET", "hworker-progress-numbers", job, start);
    }
};

/// A worker with a client of its own.
struct member
{
    client redis;
    list_queue<int> numbers{redis, "numbers"};
    worker subject;
    std::optional<background> running;

    member(redis_test& test, std::function<asio::awaitable<void>(int)> handler, handle_options options = {})
        : redis{test.io.get_executor(), test.options()}, subject{redis,
                                                                 {.observers = {test.events.observe()}}}
    {
        subject.handle(numbers, std::move(handler), std::move(options));
        running.emplace(test.io.get_executor(), subject.async_run());
    }

    asio::awaitable<void> finish()
    {
        subject.stop();
        co_await running->join();
        co_await redis.async_stop();
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(jobs_whose_lease_has_ended_go_to_the_front, monitor_test)
{
    set_progress(payload(1), start_of("2020-01-01", 7)); // of a worker long forgotten
    set_progress(payload(2), R"("2020-01-01T00:00:00.5Z")");
    push_raw(payload(3));
    server("SET", "hworker-paused-numbers", 1);
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, note());
        auto running = start(subject);
        co_await events.wait_until("both to be recovered", [](const event_log& log) {
            return log.total(event_kind::recovered) == 2;
        });
        BOOST_TEST(payloads().back() == payload(3));
        co_await numbers.async_resume();
        co_await events.wait_for(event_kind::succeeded, 3);
        co_await stop(subject, running);
        BOOST_TEST(ran.back() == 3);
        BOOST_TEST(attempts[1] == 2u);
        BOOST_TEST(attempts[2] == 2u);
        BOOST_TEST(attempts[3] == 1u);
        BOOST_TEST((co_await numbers.async_sizes()).total_recovered == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_lease_that_is_still_running_is_left_alone, monitor_test)
{
    const std::time_t seconds = std::stol(server("TIME").texts()[0]);
    char text[64];
    std::strftime(text, sizeof text, "\"%Y-%m-%dT%H:%M:%S", std::gmtime(&seconds));
    set_progress(payload(1), text + std::string{".123456789Z\""});
    set_progress(payload(2), text + std::string{".000000000007Z\""});
    set_progress(payload(3), R"("2020-01-01T00:00:00Z")");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, note());
        co_await work(subject, 1);
        const std::vector<int> expected{3};
        BOOST_TEST(ran == expected, boost::test_tools::per_element());
        BOOST_TEST((co_await numbers.async_sizes()).running == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(numbers_that_no_worker_has_do_not_stop_the_monitor, monitor_test)
{
    // Somebody else's: no start time has room for them. The last one is 42, modulo 2^32.
    for (const char* number : {"1000000", "99999999999999999999", "-1", "0", "seven", "042", "4294967338"})
        server("HSET", "hworker-workers-numbers", number, "coworker:dead");
    server("HSET", "hworker-workers-numbers", 43, "coworker:dead");
    set_progress(payload(1), start_of("2999-01-01", 42));
    set_progress(payload(2), start_of("2999-01-01", 43));
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, note(), {.worker_grace = 200ms});
        auto running = start(subject);
        co_await events.wait_for(event_kind::recovered);
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
        const std::vector<int> expected{2};
        BOOST_TEST(ran == expected, boost::test_tools::per_element());
        BOOST_TEST(server("HLEN", "hworker-workers-numbers").integer == 7); // `coworker check` finds them
    });
}

BOOST_FIXTURE_TEST_CASE(a_grace_is_not_negative, monitor_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        const auto refused = [](const system_error& error) { return error.code() == errc::invalid_option; };
        BOOST_CHECK_EXCEPTION(subject.handle(numbers, note(), {.worker_grace = -1ms}), system_error, refused);
        co_return;
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_whose_loop_is_blocked_is_not_robbed, redis_test)
{
    server("LPUSH", "hworker-jobs-numbers", payload(1));
    // A worker in a thread of its own, whose loop is blocked for longer than the grace.
    std::atomic<bool> may_end = false;
    int blocked_runs = 0;
    std::thread blocked{[&] {
        asio::io_context own{1};
        client redis{own.get_executor(), options()};
        list_queue<int> numbers{redis, "numbers"};
        worker subject{redis, {.concurrency = 5}};
        subject.handle(numbers, [&](int) {
            may_end.wait(false);
            ++blocked_runs;
            subject.stop();
        });
        const auto work = [&]() -> asio::awaitable<void> {
            co_await subject.async_run();
            co_await redis.async_stop();
        };
        run_coroutine(own, work());
    }};
    const auto looks = [&] { return calls_of(server, "client|list"); };
    run([&]() -> asio::awaitable<void> {
        co_await eventually("the first worker has taken it",
                            [&] { return server("HLEN", "hworker-progress-numbers").integer == 1; });
        unsigned runs = 0;
        const auto count = [&](int) -> asio::awaitable<void> {
            ++runs;
            co_return;
        };
        member watching{*this, count, {.worker_grace = 100ms}};
        // One look would note its absence, and the next one that it has been absent for long.
        bool has_looked = true;
        try {
            co_await eventually("a monitor has looked", [&] { return looks() >= 4; });
        } catch (const std::runtime_error&) {
            has_looked = false;
        }
        may_end = true;
        may_end.notify_one();
        BOOST_TEST(has_looked);
        co_await eventually("the first worker has acknowledged it",
                            [&] { return server("HLEN", "hworker-progress-numbers").integer == 0; });
        co_await watching.finish();
        BOOST_TEST(runs == 0u);
        BOOST_TEST(events.total(event_kind::recovered) == 0u);
    });
    blocked.join();
    BOOST_TEST(blocked_runs == 1);
    BOOST_TEST(server("HGET", "hworker-counters-numbers", "success").text == "1");
}

BOOST_FIXTURE_TEST_CASE(a_monitor_that_stops_is_replaced, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto handler = [](int) -> asio::awaitable<void> { co_return; };
        // Something has to be in progress, or they would all sleep.
        server("HSET", "hworker-progress-numbers", payload(1), R"("2999-01-01T00:00:00Z")");
        std::list<member> members;
        for (int i = 0; i != 3; ++i)
            members.emplace_back(*this, handler);
        for (int i = 0; i != 2; ++i) {
            auto found = members.end();
            co_await eventually("one of them is the monitor", [&] {
                const auto leader = server("GET", "hworker-monitor-numbers").text;
                found = std::find_if(members.begin(), members.end(),
                                     [&](const member& each) { return each.redis.client_name() == leader; });
                return found != members.end();
            });
            co_await found->finish();
            members.erase(found);
        }
        server("HSET", "hworker-progress-numbers", payload(2), R"("2020-01-01T00:00:00Z")");
        co_await events.wait_for(event_kind::succeeded);
        co_await members.front().finish();
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_without_monitor_leaves_leases_alone, monitor_test)
{
    set_progress(payload(1), R"("2020-01-01T00:00:00Z")");
    push_raw(payload(2));
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, note(), {.monitor = false});
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded);
        co_await let_pass(800ms);
        co_await stop(subject, running);
        BOOST_TEST(ran.size() == 1u);
        BOOST_TEST(events.count(event_kind::recovered) == 0u);
        BOOST_TEST((co_await numbers.async_sizes()).running == 1u);
    });
}

BOOST_AUTO_TEST_CASE(without_permission_to_see_connections_leases_end_by_time_alone)
{
    monitor_test test;
    test.server("ACL", "SETUSER", "ada", "on", ">secret", "~*", "&*", "+@all", "-client|list");
    test.server("HSET", "hworker-workers-numbers", 42, "coworker:dead");
    test.set_progress(payload(1), start_of("2999-01-01", 42));
    test.set_progress(payload(2), start_of("2020-01-01", 42));
    test.redis_test::run([&]() -> asio::awaitable<void> {
        client redis{test.io.get_executor(), test.observed_options("ada")};
        list_queue<int> numbers{redis, "numbers"};
        worker subject{redis, test.observed()};
        subject.handle(numbers, test.note(), {.lease = 1s, .worker_grace = 100ms});
        auto running = test.start(subject);
        co_await test.events.wait_for(event_kind::succeeded);
        co_await let_pass(1200ms); // two looks
        co_await test.stop(subject, running);
        BOOST_TEST(test.ran.size() == 1u);
        BOOST_TEST((co_await numbers.async_sizes()).running == 1u);
        co_await redis.async_stop();
    });
}

/// As through a proxy that rewrites the list, or a service that cuts it.
BOOST_FIXTURE_TEST_CASE(nobody_is_dead_by_a_list_that_does_not_show_who_asks, monitor_test)
{
    run([&]() -> asio::awaitable<void> {
        client hidden{io.get_executor(), options()}; // the worker tells of it, too
        list_queue<int> queue{hidden, "numbers"};
        co_await queue.async_push(1);
        boost::redis::request rename;
        rename.push("CLIENT", "SETNAME", "somebody");
        detail::reply answers;
        co_await detail::connection_of(hidden).exec(rename, answers);
        std::size_t runs = 0;
        worker subject{hidden, observed()};
        subject.handle(queue,
                       [&](int) -> asio::awaitable<void> {
                           ++runs;
                           co_await events.wait_for(event_kind::warning);
                           co_await let_pass(1200ms); // two looks
                       },
                       {.worker_grace = 100ms});
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
        BOOST_TEST(runs == 1u);
        BOOST_TEST(events.count(event_kind::recovered) == 0u);
        const auto told = events.of(event_kind::warning);
        BOOST_TEST(told.size() == 1u);
        BOOST_TEST(told.front().message.find("does not show the connection that asks") != std::string::npos,
                   told.front().message);
        co_await hidden.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_dead_worker_is_struck_off_before_its_jobs_are_returned, monitor_test)
{
    server("HSET", "hworker-workers-numbers", 42, "coworker:dead");
    server("SET", "hworker-progress-numbers", "what cannot be swept");
    run([&]() -> asio::awaitable<void> {
        detail::list_source monitor{detail::connection_of(redis).shared_from_this(), "numbers", {}};
        const auto look = [&]() -> asio::awaitable<void> {
            (void)co_await error_of(monitor.recover(60s, 100ms));
        };
        co_await look();
        co_await let_pass(150ms); // its grace
        co_await look();
        const auto name = server("HGET", "hworker-workers-numbers", 42);
        BOOST_TEST(!name.is_nil());
        BOOST_TEST(name.text == "");
        server("DEL", "hworker-progress-numbers");
        co_await let_pass(600ms); // until it may lead again
        co_await look();
        BOOST_TEST(server("HGET", "hworker-workers-numbers", 42).is_nil());
    });
}

/// The monitors of a client share a list of connections, so it may be older than the look at the queue.
BOOST_FIXTURE_TEST_CASE(a_worker_that_is_back_since_the_connections_were_listed_keeps_its_jobs, monitor_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto connection = detail::connection_of(redis).shared_from_this();
        detail::list_source monitor{connection, "numbers", {}};
        server("HSET", "hworker-workers-numbers", 42, "coworker:back");
        server("HSET", "hworker-gone-numbers", 42, 1); // long ago
        (void)co_await connection->roll().take(connection, 2s);
        raw_redis back{server.socket_path()};
        back("CLIENT", "SETNAME", "coworker:back");
        const auto now = std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
        server("HSET", "hworker-progress-numbers", R"(["a",1])", detail::format_start_time(now, 42));
        co_await monitor.recover(60s, 2s);
        BOOST_TEST(server("HLEN", "hworker-progress-numbers").integer == 1);
        BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 0);
        BOOST_TEST(server("HGET", "hworker-workers-numbers", 42).text == "coworker:back");
    });
}

BOOST_AUTO_TEST_SUITE_END()
