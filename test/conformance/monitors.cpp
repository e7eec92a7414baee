// SPDX-License-Identifier: MIT
#include "conformance/worker_test.hpp"
#include "support/client_list.hpp"
#include "support/command_calls.hpp"

#include "coworker/monitor.hpp"

#include <list>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Jobs of workers that are dead, or that only seem to be.
BOOST_AUTO_TEST_SUITE(monitors)

namespace {

constexpr auto short_grace = 200ms;

/// Long leases: nothing here rests on their end.
handle_options with_grace(std::chrono::milliseconds grace)
{
    handle_options how;
    how.worker_grace = grace;
    return how;
}

/// Until a monitor has looked so many times more which workers are connected.
asio::awaitable<void> wait_for_looks(redis_server& server, std::int64_t count)
{
    const auto looks = [&] { return calls_of(server, "client|list"); };
    const auto enough = looks() + count;
    co_await eventually("a monitor has looked", [=] { return looks() >= enough; });
}

/// Each job has run once here, as its second attempt.
void check_second_attempts(const std::list<test_worker>& workers, std::size_t jobs)
{
    std::set<std::string> ids;
    std::size_t runs = 0;
    for (const auto& each : workers)
        for (const auto& started : each.events.of(event_kind::started)) {
            BOOST_TEST(started.attempt == 2u, started.job_id);
            ids.insert(started.job_id);
            ++runs;
        }
    BOOST_TEST(runs == jobs);
    BOOST_TEST(ids.size() == jobs);
}

asio::awaitable<void> take_all(member& victim, source_kind& kind, std::size_t count)
{
    co_await victim.open();
    push_all(kind, numbered(count));
    BOOST_TEST((co_await victim.take(count)).size() == count);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_monitor_stops_while_it_connects)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        kind.server()->kill();
        kind.call_timeout = 24h; // for as long it would try to make room for another one
        coworker::monitor one{kind.io};
        one.watch_source(kind.make_source());
        background running{kind.io.get_executor(), one.async_run(asio::use_awaitable)};
        co_await kind.connections.wait_for(event_kind::disconnected, 2);
        one.stop();
        co_await running.join();
    });
}

BOOST_AUTO_TEST_CASE(jobs_of_a_dead_worker_run_once_however_many_look_for_them)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        constexpr std::size_t jobs = 200;
        member victim{kind};
        co_await take_all(victim, kind, jobs);
        std::list<test_worker> workers;
        for (int i = 0; i != 3; ++i)
            workers.emplace_back(kind).start([](std::string) {}, with_grace(short_grace));
        co_await victim.die(kind);
        const auto recovered = [&] {
            std::size_t count = 0;
            for (const auto& each : workers)
                count += each.events.total(event_kind::recovered);
            return count;
        };
        co_await eventually("all have run", [&] { return kind.succeeded() == jobs && recovered() >= jobs; });
        for (auto& each : workers) {
            co_await each.stop();
            for (const auto& found : each.events.of(event_kind::recovered))
                BOOST_TEST(found.message.find("worker") != std::string::npos, found.message);
        }
        BOOST_TEST(recovered() == jobs);
        check_second_attempts(workers, jobs);
        BOOST_TEST(kind.left_of_workers() == ""); // not of the dead one either
    });
}

BOOST_AUTO_TEST_CASE(jobs_whose_leases_have_ended_run_once_however_many_look_for_them)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        constexpr std::size_t jobs = 200;
        member victim{kind};
        co_await take_all(victim, kind, jobs);
        kind.end_leases(); // its process lives, and is frozen
        std::list<test_worker> workers;
        for (int i = 0; i != 3; ++i)
            workers.emplace_back(kind).start([](std::string) {});
        co_await eventually("all have run", [&] { return kind.succeeded() == jobs; });
        for (auto& each : workers)
            co_await each.stop();
        check_second_attempts(workers, jobs);
    });
}

BOOST_AUTO_TEST_CASE(the_next_round_begins_when_the_connection_of_a_worker_is_gone)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        member victim{kind}, other{kind};
        co_await take_all(victim, kind, 1);
        co_await other.open();
        BOOST_TEST((co_await other.source->recover(2min, 1h)).recovered == 0u);
        background waiting{kind.io.get_executor(), other.source->wait_for_round(24h)};
        co_await wait_for_looks(*kind.server(), 1);
        BOOST_TEST(!waiting.has_ended());
        co_await victim.die(kind);
        co_await waiting.join();
    });
}

BOOST_AUTO_TEST_CASE(without_a_grace_a_dead_workers_jobs_wait_for_the_end_of_their_leases)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member victim{kind}, other{kind};
        co_await take_all(victim, kind, 1);
        co_await other.open();
        co_await victim.die(kind);
        for (int i = 0; i != 3; ++i) {
            const auto found = co_await other.source->recover(2min, 0ms);
            BOOST_TEST(found.recovered == 0u);
            BOOST_TEST(!found.idle);
            co_await let_pass(10ms); // it would be noted as absent by one look, and dead by another
        }
        BOOST_TEST(kind.running() == 1);
        kind.end_leases();
        const auto job = co_await other.take_over();
        BOOST_TEST(job.attempt == 2u);
        BOOST_TEST(co_await other.settle(job, success()));
    });
}

BOOST_AUTO_TEST_CASE(a_worker_that_reconnects_in_time_is_not_robbed)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker busy{kind}, watching{kind};
        kind.push("a");
        busy.start(busy.hold());
        co_await busy.events.wait_for(event_kind::started);
        watching.start([](std::string) {});
        co_await wait_for_looks(*kind.server(), 2);
        for (std::size_t i = 1; i <= 3; ++i) {
            cut_connections(*kind.server());
            co_await kind.connections.wait_for(event_kind::reconnected, 2 * i);
            co_await wait_for_looks(*kind.server(), 1);
        }
        busy.open_gate();
        co_await busy.events.wait_for(event_kind::succeeded);
        co_await busy.stop();
        co_await watching.stop();
        BOOST_TEST(busy.events.count(event_kind::lease_lost) == 0u);
        for (const auto* each : {&busy, &watching})
            BOOST_TEST(each->events.count(event_kind::recovered) == 0u);
        BOOST_TEST(watching.events.count(event_kind::started) == 0u);
    });
}

BOOST_AUTO_TEST_CASE(a_monitor_whose_process_dies_is_replaced)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        test_worker first{kind}, second{kind};
        kind.push("a");
        first.start(test_worker::run_for_ever, with_grace(short_grace));
        co_await first.events.wait_for(event_kind::started);
        co_await wait_for_looks(*kind.server(), 1); // it is the monitor
        second.start([](std::string) {}, with_grace(short_grace));
        co_await kind.connections.wait_for(event_kind::connected, 2);
        co_await kind.kill(first.number);
        (void)co_await first.running().join_and_tell();
        const auto returned = co_await second.events.wait_for(event_kind::recovered);
        BOOST_TEST(returned.count == 1u);
        co_await second.events.wait_for(event_kind::succeeded);
        co_await second.stop();
        BOOST_TEST(kind.left_of_workers() == "");
    });
}

BOOST_AUTO_TEST_CASE(a_monitor_without_a_worker_returns_jobs_and_runs_none)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        const event_log events{kind.io.get_executor()};
        monitor_options options;
        options.worker_grace = short_grace;
        options.observers = {events.observe()};
        coworker::monitor subject{kind.io, options};
        subject.watch_source(kind.make_source());
        background running{kind.io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await fall_asleep(kind, 0, 1);
        for (std::size_t i = 1; i <= 2; ++i) {
            member victim{kind};
            co_await victim.open();
            kind.push("a" + std::to_string(i));
            (void)co_await victim.take(1);
            co_await victim.die(kind);
            const auto returned = co_await events.wait_for(event_kind::recovered, i);
            BOOST_TEST(returned.count == 1u);
            BOOST_TEST(kind.waiting() == 1);
            member next{kind};
            co_await next.open();
            BOOST_TEST(co_await next.settle(co_await next.take_one(), success()));
            co_await next.source->close();
        }
        subject.stop();
        co_await running.join();
        BOOST_TEST(kind.succeeded() == 2);
    });
}

BOOST_AUTO_TEST_SUITE_END()
