// SPDX-License-Identifier: MIT
#include "support/command_calls.hpp"
#include "support/managed_worker_test.hpp"

#include "managed/managed_source/managed_source.hpp"
#include "redis/connection/connection.hpp"

#include <boost/redis/request.hpp>
#include <boost/test/unit_test.hpp>

#include <list>
#include <map>
#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What the monitor of managed queues does in particular; see conformance/monitors for the rest.
BOOST_AUTO_TEST_SUITE(managed_monitor)

namespace {

/// A worker with a client of its own.
struct member
{
    client redis;
    managed_queue mail;
    worker subject;
    std::optional<background> running;

    template<class Handler>
    member(managed_worker_test& test, Handler handler, std::string queue = "mail")
        : redis{test.io.get_executor(), test.options()}, mail{redis, std::move(queue)},
          subject{redis, test.observed({.shutdown_timeout = 0ms})}
    {
        subject.handle(mail, handler, {.worker_grace = 200ms});
        running.emplace(test.start(subject));
    }

    asio::awaitable<void> stop()
    {
        subject.stop();
        co_await running->join();
        co_await redis.async_stop();
    }
};

asio::awaitable<void> run_for_long(raw_json)
{
    co_await let_pass(60s);
}

/// A connection that works by hand, as a worker does whose process is about to be killed.
struct victim
{
    explicit victim(managed_worker_test& test) : connection{std::in_place, test.server.socket_path()} {}

    /// Takes jobs under the connection's name.
    asio::awaitable<void> take(managed_worker_test& test, int count, const std::string& queue = "mail")
    {
        static int number = 0;
        const auto digits = std::to_string(++number);
        name = "coworker:" + std::string(32 - digits.size(), '0') + digits;
        (*connection)("CLIENT", "SETNAME", name);
        test.qless("pop", queue, name, count);
        co_return;
    }

    /// As seen from Redis: the connection is closed without a word.
    asio::awaitable<void> die()
    {
        connection.reset();
        co_return;
    }

    std::optional<raw_redis> connection;
    std::string name;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(only_one_worker_looks_however_many_there_are, managed_worker_test)
{
    constexpr int holders = 5;
    for (int i = 0; i != holders; ++i)
        qless("put", "", "press", "a" + std::to_string(i), "Print", "{}", "0");
    run([&]() -> asio::awaitable<void> {
        std::list<victim> others; // that hold jobs
        for (int i = 0; i != holders; ++i)
            co_await others.emplace_back(*this).take(*this, 1, "press");
        std::list<member> members;
        for (int i = 0; i != 6; ++i)
            members.emplace_back(*this, run_for_long);
        co_await eventually("all wait for jobs", [&] { // for which they count jobs as well
            return std::stoul(server.raw().info("stats", "tracking_total_items")) >= 8 * members.size();
        });
        server("CONFIG", "RESETSTAT");
        co_await eventually("the monitor has looked several times",
                            [&] { return calls_of(server, "client|list") >= 5; });
        // A look counts the jobs of each worker that is known, those without jobs among them.
        const auto known = server("ZCARD", "ql:workers").integer;
        BOOST_TEST(calls_of(server, "zcard") <= known * (calls_of(server, "client|list") + 1) + 1);
        for (auto& each : members)
            co_await each.stop();
        for (auto& each : others)
            co_await each.die();
    });
    BOOST_TEST(events.total(event_kind::recovered) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_pop_wakes_one_monitor_and_not_all, managed_worker_test)
{
    constexpr std::size_t workers = 6, pops = 10, keys_of_a_worker = 9;
    run([&]() -> asio::awaitable<void> {
        std::list<member> members;
        for (std::size_t i = 0; i != workers; ++i)
            members.emplace_back(*this, run_for_long);
        const auto sleep = [&] {
            return std::stoul(server.raw().info("stats", "tracking_total_items")) >=
                   workers * keys_of_a_worker;
        };
        co_await eventually("all sleep", sleep);
        server("CONFIG", "RESETSTAT");
        for (std::size_t i = 1; i <= pops; ++i) {
            qless("pop", "press", "a Ruby worker", 1);
            co_await eventually("a monitor has looked, and sleeps again", [&] {
                return calls_of(server, "evalsha") >= static_cast<std::int64_t>(i) && sleep();
            });
        }
        BOOST_TEST(calls_of(server, "evalsha") <= static_cast<std::int64_t>(2 * pops));
        for (auto& each : members)
            co_await each.stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_monitor_that_ends_while_all_sleep_is_replaced_at_once, managed_worker_test)
{
    run([&]() -> asio::awaitable<void> {
        member first{*this, run_for_long};
        co_await eventually("it leads for long, asleep",
                            [&] { return server("PTTL", "ql:coworker:monitor").integer > 10'000; });
        member second{*this, run_for_long};
        co_await eventually("the second sleeps beside it", [&] {
            return std::stoul(server.raw().info("stats", "tracking_total_items")) >= 18;
        });
        co_await first.stop();
        co_await eventually("the second leads", [&] {
            return server("GET", "ql:coworker:monitor").text.starts_with(second.redis.client_name());
        });
        co_await second.stop();
    });
    BOOST_TEST(server("EXISTS", "ql:coworker:monitor").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(jobs_of_a_dead_worker_in_other_queues_are_returned_too, managed_worker_test)
{
    qless("put", "", "press", "a", "Print", "{}", "0");
    run([&]() -> asio::awaitable<void> {
        victim dead{*this};
        co_await dead.take(*this, 1, "press");
        co_await dead.die();
        member other{*this, [](raw_json) {}};
        co_await events.wait_for(event_kind::recovered);
        co_await other.stop();
    });
    BOOST_TEST(state("a") == "stalled");
    BOOST_TEST(server("ZRANGE", "ql:q:press-work", 0, -1).texts() == std::vector<std::string>{"a"});
}

/// Each look reads those that were seen not long ago, and some of the others.
BOOST_FIXTURE_TEST_CASE(jobs_of_a_worker_that_died_long_ago_are_returned_by_a_monitor_that_begins,
                        managed_worker_test)
{
    qless("put", "", "press", "a", "Print", "{}", "0");
    run([&]() -> asio::awaitable<void> {
        victim dead{*this};
        co_await dead.take(*this, 1, "press");
        server("ZINCRBY", "ql:workers", -3600, dead.name);
        co_await dead.die();
        member other{*this, [](raw_json) {}};
        co_await events.wait_for(event_kind::recovered);
        co_await other.stop();
    });
    BOOST_TEST(state("a") == "stalled");
}

BOOST_FIXTURE_TEST_CASE(a_job_that_was_lost_too_often_fails, managed_worker_test)
{
    put("a", "Letter", "{}", "retries", "0");
    run([&]() -> asio::awaitable<void> {
        victim dead{*this};
        co_await dead.take(*this, 1);
        co_await dead.die();
        member other{*this, [](raw_json) {}};
        co_await events.wait_for(event_kind::recovered);
        co_await other.stop();
    });
    BOOST_TEST(state("a") == "failed");
    BOOST_TEST(failed("failed-retries-mail") == std::vector<std::string>{"a"});
    BOOST_TEST(events.count(event_kind::started) == 0u);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(workers_of_other_clients_are_left_alone, managed_worker_test)
{
    put("a", "Letter");
    put("b", "Letter");
    run([&]() -> asio::awaitable<void> {
        qless("pop", "mail", "host-of-a-ruby-worker-1234", 1);
        victim dead{*this};
        co_await dead.take(*this, 1);
        co_await dead.die();
        member other{*this, [](raw_json) {}};
        co_await events.wait_for(event_kind::succeeded);
        co_await events.wait_for(event_kind::recovered); // told when the monitor has done everything else
        co_await other.stop();
    });
    BOOST_TEST(events.total(event_kind::recovered) == 1u);
    BOOST_TEST(state("a") == "running");
    BOOST_TEST(server("ZRANGE", "ql:workers", 0, -1).texts() ==
               std::vector<std::string>{"host-of-a-ruby-worker-1234"});
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_was_absent_long_ago_has_time_to_come_back, managed_worker_test)
{
    const std::string name = "someone:0123456789abcdef0123456789abcdef";
    const auto grace = handle_options{}.worker_grace;
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        const auto source = mail.make_source();
        co_await source->open();
        qless("pop", "mail", name, 1);
        const auto first = co_await source->recover(60s, grace);
        BOOST_TEST(first.recovered == 0u);
        co_await let_pass(grace + 100ms); // in which nobody looked
        const auto second = co_await source->recover(60s, grace);
        BOOST_TEST(second.recovered == 0u);
        co_await source->close();
    });
    BOOST_TEST(state("a") == "running");
}

BOOST_FIXTURE_TEST_CASE(reconciling_gives_back_what_the_worker_does_not_know_of, managed_worker_test)
{
    for (const auto* jid : {"known", "unknown", "elsewhere", "other"})
        put(jid, "Letter");
    run([&]() -> asio::awaitable<void> {
        const auto source = mail.make_source();
        co_await source->open();
        // Held under this worker's name: one it knows, one from an unanswered take, one in another queue.
        qless("put", "", "press", "elsewhere", "Letter", "{}", "0");
        qless("pop", "mail", redis.client_name(), 2);
        qless("pop", "mail", "someone", 1);
        qless("pop", "press", redis.client_name(), 1);
        fetched_job held;
        for (const auto* jid : {"known", "unknown", "other"})
            if (field(jid, "worker") == redis.client_name())
                held.body = jid;
        held.id_range = {0, held.body.size()};
        const std::vector<const fetched_job*> all{&held};
        co_await source->reconcile(all);
        int running_here = 0, given_back = 0;
        for (const auto* jid : {"known", "unknown", "other"}) {
            running_here += state(jid) == "running" && field(jid, "worker") == redis.client_name();
            given_back += state(jid) == "stalled";
        }
        BOOST_TEST(running_here == 1);
        BOOST_TEST(given_back == 1);
        BOOST_TEST(state(held.body) == "running");
        BOOST_TEST(state("elsewhere") == "running");
        co_await source->close();
    });
    BOOST_TEST(server("ZRANGE", "ql:workers", 0, -1).texts().size() ==
               2u); // it holds jobs, so it stays known
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(nobody_is_dead_by_a_list_that_does_not_show_who_asks, managed_worker_test)
{
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        client hidden{io.get_executor(), options()}; // the worker tells of it, too
        managed_queue queue{hidden, "mail"};
        boost::redis::request rename;
        rename.push("CLIENT", "SETNAME", "somebody");
        detail::reply answers;
        co_await detail::connection_of(hidden).exec(rename, answers);
        std::size_t runs = 0;
        worker subject{hidden, observed()};
        subject.handle(queue,
                       [&](raw_json) -> asio::awaitable<void> {
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
        for (const auto& each : told)
            BOOST_TEST(each.message.find("does not show the connection that asks") != std::string::npos,
                       each.message);
        co_await hidden.async_stop();
    });
}

/// A monitor that dies leaves to the next one what it has seen.
BOOST_FIXTURE_TEST_CASE(how_long_a_worker_is_missing_is_known_to_the_next_monitor, managed_worker_test)
{
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        victim dead{*this};
        co_await dead.take(*this, 1);
        co_await dead.die();
        std::size_t recovered = 0, monitors = 0;
        const auto look_once = [&]() -> asio::awaitable<void> {
            client another{io.get_executor(), options()};
            detail::managed_source monitor{detail::connection_of(another).shared_from_this(), "mail", {}};
            recovered += (co_await monitor.recover(0ms, 1s)).recovered;
            server("DEL", "ql:coworker:monitor"); // it dies
            co_await another.async_stop();
        };
        for (; recovered == 0 && monitors != 8; ++monitors) {
            co_await look_once();
            co_await let_pass(400ms);
        }
        BOOST_TEST(recovered == 1u);
        BOOST_TEST(monitors <= 4u);
        co_await look_once();
        BOOST_TEST(server("EXISTS", "ql:coworker:gone").integer == 0);
    });
}

BOOST_AUTO_TEST_CASE(names_of_connections_are_recognised)
{
    using detail::is_connection_name;
    BOOST_TEST(is_connection_name("coworker:0123456789abcdef0123456789abcdef"));
    BOOST_TEST(is_connection_name("my mailer:fedcba9876543210fedcba9876543210"));
    BOOST_TEST(!is_connection_name("host-1234"));
    BOOST_TEST(!is_connection_name("host:1234"));
    BOOST_TEST(!is_connection_name("host:0123456789ABCDEF"));
    BOOST_TEST(!is_connection_name("0123456789abcdef"));
    BOOST_TEST(!is_connection_name(""));
}

BOOST_AUTO_TEST_SUITE_END()
