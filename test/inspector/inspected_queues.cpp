// SPDX-License-Identifier: MIT
#include "inspector_test.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/cancel_after.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <set>
#include <unistd.h>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(inspected_queues)

BOOST_FIXTURE_TEST_CASE(queues_are_shown_that_nobody_has_worked_on, inspector_test)
{
    server("LPUSH", "hworker-jobs-filled-by-others", R"(["1",1])");
    run([&]() -> asio::awaitable<void> {
        const auto page = co_await subject.async_queues(queue_kind::list);
        BOOST_REQUIRE(page.queues.size() == 1u);
        BOOST_TEST(page.queues[0].queue == queue_ref::list("filled-by-others"));
        BOOST_TEST(page.queues[0].waiting == 1u);
        BOOST_TEST(page.next.empty());
    });
}

BOOST_FIXTURE_TEST_CASE(a_search_for_queues_comes_to_an_end, inspector_test)
{
    for (int i = 0; i != 30; ++i)
        server("LPUSH", "hworker-jobs-q" + std::to_string(i), "x");
    run([&]() -> asio::awaitable<void> {
        std::set<std::string> discovered, names;
        std::string cursor;
        do {
            const auto part = co_await subject.async_discover(cursor);
            discovered.insert(part.names.begin(), part.names.end());
            cursor = part.next;
        } while (!cursor.empty());
        BOOST_TEST(discovered.size() == 30u);
        do {
            const auto page = co_await subject.async_queues(queue_kind::list, cursor, 10);
            for (const auto& queue : page.queues)
                names.insert(queue.queue.name());
            cursor = page.next;
        } while (!cursor.empty());
        BOOST_TEST(names.size() == 30u);
    });
}

BOOST_FIXTURE_TEST_CASE(queues_of_both_kinds_are_shown_by_their_names, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        const raw_json data{"{}"};
        co_await mail.async_push("Mail", data);
        co_await mail.async_push("Mail", data);
        const std::vector<queue_ref> names{managed, queue_ref::list("none"), list, queue_ref::managed("none"),
                                           managed};
        const auto found = co_await subject.async_queues(names);
        BOOST_TEST_REQUIRE(found.size() == names.size());
        const std::uint64_t waiting[] = {2, 0, 1, 0, 2};
        for (std::size_t i = 0; i != names.size(); ++i) {
            BOOST_TEST(found[i].queue == names[i]);
            BOOST_TEST(found[i].waiting == waiting[i]);
            BOOST_TEST(found[i].latency.has_value() == (waiting[i] != 0));
        }
        BOOST_TEST((co_await subject.async_queues(std::vector<queue_ref>{})).empty());
        const auto bad = co_await error_of(
            [&] { return subject.async_queues(std::vector<queue_ref>(1), asio::use_awaitable); });
        BOOST_TEST(bad == errc::invalid_queue_name);
    });
}

BOOST_FIXTURE_TEST_CASE(a_list_queue_tells_how_many_jobs_are_where, inspector_test)
{
    server("RPUSH", "hworker-jobs-numbers", "a", "b");
    server("HSET", "hworker-progress-numbers", "c", "x", "false", "x");
    server("HSET", "hworker-broken-numbers", "d", "x");
    add_failed("f", "no");
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1, {.delay = 1h});
        co_await subject.async_pause(list);
        const auto found = co_await subject.async_queue(list);
        BOOST_REQUIRE(found.has_value());
        BOOST_TEST(found->waiting == 2u);
        BOOST_TEST(found->running == 1u);
        BOOST_TEST(found->broken == 1u);
        BOOST_TEST(found->failed.value() == 1u);
        BOOST_TEST(found->scheduled == 1u);
        BOOST_TEST(found->paused);
        BOOST_TEST(found->latency.has_value());
        BOOST_TEST(found->workers.value() == 0u);
        co_await subject.async_resume(list);
        BOOST_TEST(!(co_await subject.async_queue(list))->paused);
    });
}

BOOST_FIXTURE_TEST_CASE(a_managed_queue_tells_how_many_jobs_are_where, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        const raw_json data{"{}"};
        managed_push_options first;
        first.jid = "first";
        co_await mail.async_push("Mail", data, first);
        managed_push_options later;
        later.delay = 1h;
        co_await mail.async_push("Mail", data, later);
        managed_push_options dependent;
        dependent.depends = "first";
        co_await mail.async_push("Mail", data, dependent);
        co_await mail.async_push("Mail", data);
        recur_options in_a_minute;
        in_a_minute.offset = 60s;
        co_await mail.async_recur("Mail", data, 60s, in_a_minute);
        (void)co_await pop("w");
        co_await subject.async_pause(managed);
        const auto found = co_await subject.async_queue(managed);
        BOOST_REQUIRE(found.has_value());
        BOOST_TEST(found->waiting == 1u);
        BOOST_TEST(found->running == 1u);
        BOOST_TEST(found->scheduled == 1u);
        BOOST_TEST(found->depends == 1u);
        BOOST_TEST(found->recurring == 1u);
        BOOST_TEST(found->paused);
        BOOST_TEST(found->latency.has_value());
        BOOST_TEST(found->failed.value() == 0u);
        const auto page = co_await subject.async_queues(queue_kind::managed);
        BOOST_REQUIRE(page.queues.size() == 1u);
        BOOST_TEST(page.queues[0].waiting == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(failed_jobs_of_managed_queues_are_counted_while_they_are_not_many, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fail_managed(2, "one", "no");
        co_await fail_managed(3, "two", "no");
        server("ZADD", "ql:queues", 1, "press");
        BOOST_TEST((co_await subject.async_queue(managed))->failed.value() == 5u);
        BOOST_TEST((co_await subject.async_queue(queue_ref::managed("press")))->failed.value() == 0u);
        for (int i = 0; i != 1000; ++i)
            server("RPUSH", "ql:f:two", "unknown");
        BOOST_TEST(!(co_await subject.async_queue(managed))->failed.has_value());
    });
}

BOOST_FIXTURE_TEST_CASE(all_workers_of_many_queues_are_shown, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        constexpr int queues = 70; // more than are asked about in one request
        for (int i = 0; i != queues; ++i) {
            const auto name = "q" + std::to_string(i);
            server("SADD", "hworker-queues", name);
            server("HSET", "hworker-workers-" + name, 7, redis.client_name());
            server("LPUSH", "hworker-jobs-" + name, "x");
        }
        co_await redis.async_connect();
        server("SCRIPT", "FLUSH"); // lost scripts are loaded again
        const auto list_of_workers = co_await subject.async_workers();
        const auto& workers = list_of_workers.workers;
        BOOST_REQUIRE(workers.size() == 1u);
        std::set<std::string> names;
        for (const auto& load : workers[0].loads)
            names.insert(load.queue.name());
        BOOST_TEST(names.size() == std::size_t{queues});
        const auto page = co_await subject.async_queues(queue_kind::list, {}, 1000);
        BOOST_TEST(page.queues.size() == std::size_t{queues});
        for (const auto& queue : page.queues) {
            BOOST_TEST(queue.waiting == 1u);
            BOOST_TEST(queue.workers.value() == 1u);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(a_queue_that_is_none_is_not_found, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        BOOST_TEST((co_await subject.async_queue(list)).error() == errc::queue_not_found);
        BOOST_TEST((co_await subject.async_queue(managed)).error() == errc::queue_not_found);
        BOOST_TEST(!co_await subject.async_queue_exists(list));
        BOOST_TEST(!co_await subject.async_queue_exists(managed));
        BOOST_TEST((co_await subject.async_delete_queue(list)).error() == errc::queue_not_found);
        const auto bad =
            co_await error_of([&] { return subject.async_queue(queue_ref::list(""), asio::use_awaitable); });
        BOOST_TEST(bad == errc::invalid_queue_name);
        const auto cursor = co_await error_of(
            [&] { return subject.async_queues(queue_kind::managed, "nonsense", 1, asio::use_awaitable); });
        BOOST_TEST(cursor == errc::invalid_option);
        const auto other = co_await error_of(
            [&] { return subject.async_queues(queue_kind::list, "nonsense", 1, asio::use_awaitable); });
        BOOST_TEST(other == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(a_queue_with_jobs_is_deleted_only_with_them, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        const raw_json data{"{}"};
        co_await mail.async_push("Mail", data);
        co_await mail.async_recur("Mail", data, 60s);
        const std::vector<queue_ref> both{list, managed};
        for (const auto& queue : both) {
            BOOST_TEST(co_await subject.async_queue_exists(queue));
            const auto kept = co_await subject.async_delete_queue(queue);
            BOOST_TEST(kept.error() == errc::queue_not_empty);
            const auto deleted = co_await subject.async_delete_queue(queue, true);
            BOOST_TEST(deleted.has_value());
            const auto gone = co_await subject.async_queue(queue);
            BOOST_TEST(gone.error() == errc::queue_not_found);
        }
        BOOST_TEST(server("KEYS", "hworker-*-numbers").elements.empty());
        BOOST_TEST(server("KEYS", "ql:j:*").elements.empty());
    });
}

BOOST_FIXTURE_TEST_CASE(workers_tell_their_process_and_what_they_hold, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        server("HSET", "hworker-workers-numbers", 8,
               "coworker:00000000000000aa00000000000000aa"); // killed while it was idle
        co_await numbers.async_push(1);
        const auto source = numbers.make_source();
        co_await source->open();
        const auto taken = co_await source->ack_and_fetch({}, 1);
        BOOST_REQUIRE(taken.fetched.size() == 1u);
        const auto list_of_workers = co_await subject.async_workers();
        const auto& workers = list_of_workers.workers;
        BOOST_REQUIRE(workers.size() == 1u);
        const auto& worker = workers.front();
        BOOST_TEST(worker.name == redis.client_name());
        BOOST_TEST(worker.connected);
        BOOST_TEST(worker.connected_since.has_value());
        BOOST_TEST(!worker.host.empty());
        BOOST_TEST(worker.process == static_cast<std::uint32_t>(::getpid()));
        BOOST_TEST(!worker.version.empty());
        BOOST_TEST(worker.started.has_value());
        BOOST_REQUIRE(worker.loads.size() == 1u);
        BOOST_TEST(worker.loads[0].queue == list);
        BOOST_TEST(worker.loads[0].running == 1u);
        co_await source->close();
        BOOST_TEST(server("EXISTS", "hworker-processes").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(workers_of_managed_queues_are_shown_with_their_jobs, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        const raw_json data{"{}"};
        co_await mail.async_push("Mail", data);
        (void)co_await pop("a-ruby-worker");
        const auto list_of_workers = co_await subject.async_workers();
        const auto& workers = list_of_workers.workers;
        BOOST_REQUIRE(workers.size() == 1u);
        BOOST_TEST(workers[0].name == "a-ruby-worker");
        BOOST_TEST(!workers[0].connected);
        BOOST_TEST(workers[0].loads.at(0).running == 1u);
        BOOST_TEST(workers[0].loads.at(0).queue.is_managed());
        BOOST_TEST((co_await subject.async_workers(queue_kind::managed)).workers.size() == 1u);
        BOOST_TEST((co_await subject.async_workers(queue_kind::list)).workers.empty());
    });
}

BOOST_FIXTURE_TEST_CASE(workers_of_a_managed_queue_are_counted_while_they_are_there, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto count = [&]() -> asio::awaitable<std::uint64_t> {
            const std::vector<queue_ref> one{managed};
            const auto found = co_await subject.async_queues(one);
            co_return found.front().workers.value();
        };
        BOOST_TEST(co_await count() == 0u);
        const auto source = mail.make_source();
        co_await source->open();
        BOOST_TEST(co_await count() == 1u);
        const std::string noted = "ql:coworker:workers:" + managed.name(),
                          killed = "host:0123456789abcdef0123456789abcdef";
        const auto now = std::stoll(server("TIME").texts().at(0));
        server("ZADD", noted, now, killed); // it has no connection any more
        BOOST_TEST(co_await count() == 1u);
        server("ZADD", noted, now, "over HTTP", now - 301, "over HTTP before");
        BOOST_TEST(co_await count() == 2u);
        co_await source->close();
        BOOST_TEST(co_await count() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(the_server_tells_its_version_and_its_memory, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        server("CONFIG", "SET", "maxmemory", "123mb");
        const auto found = co_await subject.async_server();
        BOOST_TEST((found.software == "redis" || found.software == "valkey"));
        BOOST_TEST(found.version.find('.') != std::string::npos);
        BOOST_TEST(found.nodes == 1u);
        BOOST_TEST(found.memory > 100'000u);
        BOOST_TEST(found.memory_limit == 123u * 1024 * 1024);
        BOOST_TEST(found.clients >= 2u);
        server("CONFIG", "SET", "maxmemory", "0");
        BOOST_TEST((co_await subject.async_server()).memory_limit == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(an_operation_owns_what_it_needs, inspector_test)
{
    server("RPUSH", "hworker-jobs-numbers", "a");
    run([&]() -> asio::awaitable<void> {
        auto operation = inspector{redis}.async_queue(queue_ref::list("numbers"), asio::use_awaitable);
        const auto found = co_await std::move(operation);
        BOOST_TEST(found->waiting == 1u);
        const auto [ec, again] =
            co_await subject.async_queue(list, asio::cancel_after(10s, asio::as_tuple(asio::use_awaitable)));
        BOOST_TEST(!ec);
        BOOST_TEST(again->waiting == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
