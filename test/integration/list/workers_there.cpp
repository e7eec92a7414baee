// SPDX-License-Identifier: MIT
#include "support/client_list.hpp"
#include "support/client_test.hpp"

#include "coworker/inspector.hpp"
#include "coworker/managed_queue.hpp"
#include "list/find_queues.hpp"
#include "redis/connection/connection.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Which workers are there, and which queues nobody told of.
BOOST_AUTO_TEST_SUITE(workers_there)

namespace {

void fill_with_other_keys(redis_server& server, int count)
{
    server("EVAL", "for i = 1, ARGV[1] do redis.call('SET', 'other-' .. i, i) end", 0, count);
}

} // namespace

BOOST_FIXTURE_TEST_CASE(workers_are_counted_that_are_connected, client_test)
{
    server("HSET", "hworker-workers-numbers", 8,
           "coworker:00000000000000aa00000000000000aa"); // killed while the queue was idle
    run([&]() -> asio::awaitable<void> {
        BOOST_TEST((co_await numbers.async_sizes()).workers == 0u);
        client other{io.get_executor(), options()};
        list_queue<int> same{other, "numbers"};
        const auto source = same.make_source();
        co_await source->open();
        co_await source->ack_and_fetch({}, 1);
        BOOST_TEST((co_await numbers.async_sizes()).workers == 1u);
        // Its connection is gone, as that of a killed process: it is not shown from that moment on.
        co_await other.async_stop();
        co_await eventually("its connection to be gone", [&] { return client_list(server).size() == 1; });
        BOOST_TEST(server("HLEN", "hworker-workers-numbers").integer == 2);
        BOOST_TEST((co_await numbers.async_sizes()).workers == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_is_told_how_many_jobs_are_left, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> jobs{1, 2, 3};
        co_await numbers.async_push_many(jobs);
        const auto source = numbers.make_source();
        co_await source->open();
        auto answer = co_await source->ack_and_fetch({}, 1);
        BOOST_TEST(answer.waiting == 2u);
        answer = co_await source->ack_and_fetch({}, 5);
        BOOST_TEST(answer.waiting == 0u);
        co_await source->close();
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_is_there_in_queues_that_it_has_not_come_to_yet, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> later{redis, "later"}, paused{redis, "paused"};
        const std::vector<const list_queue<int>*> all{&numbers, &later, &paused};
        co_await numbers.async_push(1);
        co_await later.async_push(1);
        co_await paused.async_push(1);
        co_await paused.async_pause();
        detail::signal may_end{io.get_executor()};
        worker subject{redis, observed({.concurrency = 1, .order = queue_order::strict})};
        subject.handle(numbers, [&](int) -> asio::awaitable<void> { co_await may_end.wait(); });
        subject.handle(later, [](int) {});
        subject.handle(paused, [](int) {});
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        for (const auto* queue : all)
            BOOST_TEST((co_await queue->async_sizes()).workers == 1u);
        BOOST_TEST((co_await later.async_sizes()).waiting == 1u);
        may_end.notify();
        co_await stop(subject, running);
        for (const auto* queue : all)
            BOOST_TEST((co_await queue->async_sizes()).workers == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(the_next_worker_strikes_off_those_that_were_killed_while_idle, client_test)
{
    server("HSET", "hworker-workers-numbers", 8, "coworker:00000000000000aa00000000000000aa");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {}, {.worker_grace = 200ms});
        auto running = start(subject);
        co_await eventually("the dead worker to be struck off",
                            [&] { return server("HEXISTS", "hworker-workers-numbers", 8).integer == 0; });
        BOOST_TEST(server("EXISTS", "hworker-gone-numbers").integer == 0);
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(managed_workers_that_were_killed_while_idle_are_not_shown, client_test)
{
    const auto now = std::stoll(server("TIME").texts().at(0)), soon = now + 1000;
    server("ZADD", "ql:workers", now, "coworker:00000000000000aa00000000000000aa", now,
           "coworker:00000000000000bb00000000000000bb", now, "a-ruby-worker-1");
    server("ZADD", "ql:w:coworker:00000000000000bb00000000000000bb:jobs", soon, "held");
    run([&]() -> asio::awaitable<void> {
        const inspector all{redis};
        const auto list_of_workers = co_await all.async_workers(queue_kind::managed);
        const auto& workers = list_of_workers.workers;
        std::vector<std::string> names;
        for (const auto& worker : workers)
            names.push_back(worker.name);
        std::sort(names.begin(), names.end());
        const std::vector<std::string> expected{"a-ruby-worker-1",
                                                "coworker:00000000000000bb00000000000000bb"};
        BOOST_TEST(names == expected, boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_is_there_in_managed_queues_that_it_has_not_come_to_yet, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const managed_queue later{redis, "later"};
        co_await numbers.async_push(1);
        co_await later.async_push("Kind", raw_json{"{}"});
        detail::signal may_end{io.get_executor()};
        worker subject{redis, observed({.concurrency = 1, .order = queue_order::strict})};
        subject.handle(numbers, [&](int) -> asio::awaitable<void> { co_await may_end.wait(); });
        handlers_by_kind kinds;
        kinds.on<raw_json>("Kind", [](const raw_json&) {});
        subject.handle(later, kinds);
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        const inspector all{redis};
        BOOST_TEST((co_await all.async_workers(queue_kind::managed)).workers.size() == 1u);
        may_end.notify();
        co_await stop(subject, running);
        BOOST_TEST((co_await all.async_workers(queue_kind::managed)).workers.size() == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(queues_filled_by_others_are_found_by_their_keys, client_test)
{
    fill_with_other_keys(server, 3'000);
    server("LPUSH", "hworker-jobs-a", R"(["1",1])");
    server("ZADD", "hworker-scheduled-b-c", 1, R"(x:["1",1])");
    server("SET", "hworker-nonsense-d", 1);
    run([&]() -> asio::awaitable<void> {
        detail::queue_finder finder;
        detail::survey nodes{detail::connection_of(redis)};
        co_await finder.go_on(nodes);
        auto known = server("SMEMBERS", "hworker-queues").texts();
        std::sort(known.begin(), known.end());
        const std::vector<std::string> expected{"a", "b-c"};
        BOOST_TEST(known == expected, boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(a_search_goes_on_where_it_stopped, client_test)
{
    fill_with_other_keys(server, 5'000);
    for (int i = 0; i != 10; ++i)
        server("LPUSH", "hworker-jobs-" + std::to_string(i), R"(["1",1])");
    run([&]() -> asio::awaitable<void> {
        detail::survey nodes{detail::connection_of(redis)};
        std::set<std::string> names;
        std::string cursor = "0";
        int steps = 0;
        do {
            cursor = co_await detail::find_queues(nodes, cursor, names);
            ++steps;
        } while (cursor != "0");
        BOOST_TEST(steps > 3); // a thousand at a time
        BOOST_TEST(names.size() == 10u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_queue_is_known_from_the_first_push_on, client_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        BOOST_TEST(server("SISMEMBER", "hworker-queues", "numbers").integer == 1);
        list_queue<int> later{redis, "later"};
        co_await later.async_push(1, {.delay = 1h});
        BOOST_TEST(server("SISMEMBER", "hworker-queues", "later").integer == 1);
        // Once is enough: it costs the next ones nothing.
        server("DEL", "hworker-queues");
        co_await numbers.async_push(2);
        BOOST_TEST(server("EXISTS", "hworker-queues").integer == 0);
        co_await numbers.async_destroy();
        co_await numbers.async_push(3);
        BOOST_TEST(server("SISMEMBER", "hworker-queues", "numbers").integer == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(a_producer_that_may_not_tell_can_push, client_test)
{
    server("ACL", "SETUSER", "producer", "on", "nopass", "~hworker-jobs-*", "&*", "+@all");
    run([&]() -> asio::awaitable<void> {
        auto as_producer = options();
        as_producer.user = "producer";
        as_producer.password = "any";
        client producing{io.get_executor(), as_producer};
        list_queue<int> same{producing, "numbers"};
        co_await same.async_push(1);
        BOOST_TEST(length() == 1);
        BOOST_TEST(server("EXISTS", "hworker-queues").integer == 0);
        co_await producing.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
