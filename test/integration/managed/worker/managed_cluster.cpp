// SPDX-License-Identifier: MIT
#include "support/cluster_client_test.hpp"
#include "support/expect.hpp"
#include "support/held_jobs.hpp"

#include "coworker/batches.hpp"
#include "coworker/inspector.hpp"
#include "coworker/managed_client.hpp"
#include "coworker/managed_events.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/schedules.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

/// Managed queues in a Redis Cluster: each prefix is in one slot.
BOOST_AUTO_TEST_SUITE(managed_cluster)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

managed_options in_slot_of(const std::string& tag)
{
    return {.prefix = tagged(tag) + "ql:"};
}

} // namespace

BOOST_FIXTURE_TEST_CASE(works_on_prefixes_of_several_nodes, cluster_client_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        client producer{io.get_executor(), cluster_options()};
        worker subject{redis, observed()};
        for (const auto& tag : tags) {
            managed_queue mail{redis, "mail", in_slot_of(tag)};
            handlers_by_kind handlers;
            handlers.on<int>("Double", [](int number) { return 2 * number; });
            subject.handle(mail, std::move(handlers));
        }
        background working{io.get_executor(), subject.async_run()};
        constexpr int count = 50;
        for (const auto& tag : tags) {
            managed_queue mail{producer, "mail", in_slot_of(tag)};
            std::string last;
            for (int i = 0; i != count; ++i)
                last = co_await mail.async_push("Double", i);
            BOOST_TEST(co_await mail.async_wait_for<int>(last) == 2 * (count - 1));
        }
        co_await wait_for_ends(3 * count);
        BOOST_TEST(events.count(event_kind::succeeded) == 3u * count);
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        for (const auto& tag : tags) {
            inspector_options look_options;
            look_options.managed_prefix = in_slot_of(tag).prefix;
            const inspector look{producer, look_options};
            const auto list_of_workers = co_await find_all<worker_list>([&] { return look.async_workers(); });
            const auto& workers = list_of_workers.workers;
            BOOST_REQUIRE(workers.size() == 1u);
            BOOST_TEST(workers[0].connected);
            const auto found =
                co_await find_all<queue_page>([&] { return look.async_queues(queue_kind::managed); });
            BOOST_TEST(found.queues.size() == 1u);
        }
        subject.stop();
        co_await working.join();
        co_await producer.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(tells_a_worker_that_its_job_was_canceled, cluster_client_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        client other{io.get_executor(), cluster_options()};
        for (const auto& tag : tags) {
            managed_queue mail{redis, "mail", in_slot_of(tag)};
            managed_events stream{other, in_slot_of(tag)};
            co_await stream.async_listen();
            worker subject{redis, observed()};
            handlers_by_kind handlers;
            handlers.on<int>("Endless", [](int) -> asio::awaitable<void> {
                for (;;)
                    co_await let_pass(5ms);
            });
            subject.handle(mail, std::move(handlers));
            const auto lost = events.count(event_kind::lease_lost);
            const auto begun = events.count(event_kind::started);
            background working{io.get_executor(), subject.async_run()};
            const auto jid = co_await mail.async_push("Endless", 1);
            co_await events.wait_for(event_kind::started, begun + 1);
            const managed_client jobs{other, in_slot_of(tag)};
            co_await jobs.async_cancel(jid);
            co_await events.wait_for(event_kind::lease_lost,
                                     lost + 1); // at once, not with the next heartbeat
            std::vector<managed_event_kind> heard;
            while (heard.empty() || heard.back() != managed_event_kind::canceled)
                heard.push_back((co_await stream.async_next()).kind);
            BOOST_TEST(heard.size() == 2u); // each once: put, canceled
            subject.stop();
            co_await working.join();
        }
        co_await other.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(refuses_a_prefix_without_a_hash_tag, cluster_client_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        BOOST_CHECK_THROW((managed_queue{redis, "mail"}), system_error);
        BOOST_CHECK_THROW(managed_client{redis}, system_error);
        BOOST_CHECK_THROW(managed_events{redis}, system_error);
        BOOST_CHECK_THROW(batches{redis}, system_error);
        BOOST_CHECK_THROW(schedules{redis}, system_error);
        const inspector look{redis}; // it shows list queues
        const auto list_of_workers = co_await find_all<worker_list>([&] { return look.async_workers(); });
        const auto& workers = list_of_workers.workers;
        BOOST_TEST(workers.empty());
        const auto found =
            co_await find_all<queue_page>([&] { return look.async_queues(queue_kind::managed); });
        BOOST_TEST(found.queues.empty());
    });
}

asio::awaitable<std::size_t> recover(job_source& source, int rounds)
{
    std::size_t recovered = 0;
    for (int round = 0; round != rounds; ++round) {
        const auto found = co_await source.recover(60s, 1ms);
        recovered += found.recovered;
        co_await let_pass(5ms);
    }
    co_return recovered;
}

BOOST_FIXTURE_TEST_CASE(takes_no_worker_of_another_node_for_dead, cluster_client_test)
{
    run_with_client([&](client& watching) -> asio::awaitable<void> {
        for (const auto& tag : tags) // the monitor is connected to all nodes
            co_await managed_client{watching, in_slot_of(tag)}.async_cancel("nothing");
        for (const auto& tag : tags) {
            const managed_queue mail{watching, "mail", in_slot_of(tag)};
            co_await mail.async_push("k", 1);
            const managed_client jobs{watching, in_slot_of(tag)};
            const auto popped = co_await pop_jobs(jobs, "mail", connect_worker_at(tag));
            BOOST_TEST(popped.size() == 1u);
            const auto looking = mail.make_source();
            co_await looking->open();
            BOOST_TEST(co_await recover(*looking, 3) == 0u);
            BOOST_TEST(home_of(tag)("ZCARD", tagged(tag) + "ql:q:mail-locks").integer == 1);
            home_of(tag)("CLIENT", "SETNAME", "another");
            BOOST_TEST(co_await recover(*looking, 3) == 1u);
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
