// SPDX-License-Identifier: MIT
#include "support/cluster_client_test.hpp"
#include "support/expect.hpp"

#include "coworker/inspector.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>

BOOST_AUTO_TEST_SUITE(cluster_workers)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Rounds of a monitor for which workers are dead that have no connection for a moment. Returns the number of jobs that
/// went back.
asio::awaitable<std::size_t> monitor(const client& redis, std::string tag, int rounds)
{
    std::size_t recovered = 0;
    const raw_list_queue queue{redis, tagged(tag)};
    const auto source = queue.make_source();
    for (int round = 0; round != rounds; ++round) {
        const auto done = co_await source->recover(60s, 1ms);
        co_await let_pass(5ms);
        recovered += done.recovered;
    }
    co_return recovered;
}

BOOST_FIXTURE_TEST_CASE(a_monitor_asks_the_node_of_its_queue_who_is_alive, cluster_client_test)
{
    run_with_client([&](client& watching) -> asio::awaitable<void> {
        for (const auto& tag : tags) { // so that the monitor is connected to all of them
            const raw_list_queue queue{watching, tagged(tag)};
            co_await queue.async_sizes();
        }
        for (const auto& tag : tags) {
            client redis{io.get_executor(), cluster_options()};
            list_queue<int> queue{redis, tagged(tag)};
            co_await queue.async_push(1);
            const auto source = queue.make_source(); // a worker that has no other queue
            source->lease_time(60s);
            co_await source->open();
            const auto got = co_await source->ack_and_fetch({}, 1);
            BOOST_REQUIRE(got.fetched.size() == 1u);
            BOOST_TEST(co_await monitor(watching, tag, 3) == 0u);
            BOOST_TEST(home_of(tag)("HLEN", key("workers", tag)).integer == 1);
            BOOST_TEST(home_of(tag)("HLEN", key("progress", tag)).integer == 1);
            // Nor is one that is connected to no other node.
            home_of(tag)("HSET", key("workers", tag), 5, connect_worker_at(tag));
            BOOST_TEST(co_await monitor(watching, tag, 3) == 0u);
            BOOST_TEST(home_of(tag)("HLEN", key("workers", tag)).integer == 2);
            // One that has no connection is found.
            home_of(tag)("HSET", key("workers", tag), 7, "coworker:00000000000000070000000000000007");
            co_await monitor(watching, tag, 3);
            BOOST_TEST(home_of(tag)("HEXISTS", key("workers", tag), 7).integer == 0);
            BOOST_TEST(home_of(tag)("HLEN", key("workers", tag)).integer == 2);
            // Then it ends, and the monitor alone is left.
            co_await redis.async_stop();
            co_await eventually("the connections are gone", [&] {
                return home_of(tag)("CLIENT", "LIST").text.find(redis.client_name()) == std::string::npos;
            });
            BOOST_TEST(co_await monitor(watching, tag, 3) == 1u);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(works_on_queues_of_several_nodes, cluster_client_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        constexpr int count = 200;
        std::map<std::string, std::set<int>> done;
        worker subject{redis, observed()};
        for (const auto& tag : tags) {
            list_queue<int> queue{redis, tagged(tag)};
            subject.handle(queue, [&done, tag](int number) { done[tag].insert(number); });
        }
        background working{io.get_executor(), subject.async_run()};
        for (const auto& tag : tags) {
            list_queue<int> queue{redis, tagged(tag)};
            std::vector<int> many;
            for (int i = 0; i != count / 2; ++i)
                many.push_back(i);
            co_await queue.async_push_many(many);
            for (int i = count / 2; i != count; ++i)
                co_await queue.async_push(i);
        }
        co_await wait_for_ends(3 * count);
        const inspector look{redis};
        const auto list_of_workers = co_await find_all<worker_list>([&] { return look.async_workers(); });
        const auto& workers = list_of_workers.workers;
        BOOST_REQUIRE(workers.size() == 1u);
        BOOST_TEST(workers[0].connected);
        BOOST_TEST(workers[0].name == redis.client_name());
        subject.stop();
        co_await working.join();
        for (const auto& tag : tags) {
            BOOST_TEST(done[tag].size() == static_cast<std::size_t>(count));
            BOOST_TEST(home_of(tag)("HGET", key("counters", tag), "success").text == std::to_string(count));
            BOOST_TEST(home_of(tag)("EXISTS", key("workers", tag)).integer == 0);
        }
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        const auto page = co_await find_all<queue_page>([&] { return look.async_queues(queue_kind::list); });
        BOOST_TEST(page.queues.size() == 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(wakes_an_idle_worker, cluster_client_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        client producer{io.get_executor(), cluster_options()};
        worker subject{redis, observed()};
        for (const auto& tag : tags) {
            list_queue<int> queue{redis, tagged(tag)};
            subject.handle(queue, [](int) {});
        }
        background working{io.get_executor(), subject.async_run()};
        std::size_t ended = 0;
        for (const auto& tag : tags) {
            co_await eventually("the worker sleeps", [&] {
                return std::stoul(home_of(tag).raw().info("stats", "tracking_total_items")) >= 3;
            });
            list_queue<int> queue{producer, tagged(tag)};
            co_await queue.async_push(1);
            co_await wait_for_ends(++ended);
        }
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        subject.stop();
        co_await working.join();
        co_await producer.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(finds_and_controls_queues_on_all_nodes, cluster_client_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        for (const auto& tag : tags) // behind everybody's back, and one that nobody can work on
            home_of(tag)("LPUSH", key("jobs", tag), R"(["1",1])");
        servers.first_owner(detail::slot_of("hworker-jobs-plain"))("LPUSH", "hworker-jobs-plain", "1");
        const inspector look{redis};
        std::set<std::string> names;
        std::string cursor;
        do {
            auto found = co_await find_all<queue_names>([&] { return look.async_discover(cursor); });
            names.insert(found.names.begin(), found.names.end());
            cursor = std::move(found.next);
        } while (!cursor.empty());
        BOOST_TEST((names == std::set<std::string>{tagged(low), tagged(middle), tagged(high)}));
        const auto page = co_await find_all<queue_page>([&] { return look.async_queues(queue_kind::list); });
        BOOST_REQUIRE(page.queues.size() == 3u);
        for (const auto& queue : page.queues) {
            BOOST_TEST(queue.waiting == 1u);
            co_await look.async_pause(queue.queue);
            const raw_list_queue same{redis, queue.queue.name()};
            const auto sizes = co_await same.async_sizes();
            BOOST_TEST(sizes.paused);
            co_await same.async_resume();
            const auto jobs = co_await look.async_jobs(queue.queue, job_state::waiting);
            BOOST_TEST(jobs.jobs.size() == 1u);
            co_await same.async_destroy();
        }
        for (const auto& tag : tags)
            BOOST_TEST(home_of(tag)("EXISTS", key("jobs", tag)).integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(refuses_what_would_be_in_several_slots, cluster_client_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        BOOST_TEST(co_await error_of([&]() -> asio::awaitable<void> {
                       const raw_list_queue queue{redis, "emails"}; // unless somebody divides it
                       const raw_json job{"1"};
                       co_await queue.async_push_json(job);
                   }) == errc::invalid_queue_name);
        BOOST_TEST(co_await error_of([&]() -> asio::awaitable<void> {
                       const raw_list_queue queue{redis, "{}emails"};
                       co_return;
                   }) == errc::invalid_queue_name);
        list_queue<int> one{redis, tagged(low)}, same{redis, "more " + tagged(low)},
            other{redis, tagged(high)};
        const auto source = one.make_source();
        job_effects fine, wrong, foreign;
        fine.push(same, 1);
        wrong.push(other, 1);
        foreign.add({"SET", "elsewhere", "1"});
        BOOST_CHECK_NO_THROW(source->check_effect(fine.all().front()));
        BOOST_CHECK_THROW(source->check_effect(wrong.all().front()), system_error);
        BOOST_CHECK_THROW(source->check_effect(foreign.all().front()), system_error);
    });
}

BOOST_FIXTURE_TEST_CASE(tells_a_worker_on_any_node_that_its_job_was_cancelled, cluster_client_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        client other{io.get_executor(), cluster_options()};
        for (const auto& tag :
             tags) { // so that the worker is connected to all nodes, which pass each message on
            const raw_list_queue queue{redis, tagged(tag)};
            co_await queue.async_sizes();
        }
        for (const auto& tag : tags) {
            list_queue<int> queue{redis, tagged(tag)};
            worker subject{redis, observed()};
            handle_options how_to_handle;
            how_to_handle.lease = 60s; // nothing is renewed before a third of it has passed
            subject.handle(
                queue,
                [](int) -> asio::awaitable<void> {
                    for (;;)
                        co_await let_pass(5ms);
                },
                how_to_handle);
            const auto begun = events.count(event_kind::started);
            const auto lost = events.count(event_kind::lease_lost);
            background working{io.get_executor(), subject.async_run()};
            co_await queue.async_push(1);
            co_await events.wait_for(event_kind::started, begun + 1);
            const inspector act{other};
            const auto running = co_await act.async_jobs(queue_ref::list(tagged(tag)), job_state::running);
            BOOST_REQUIRE(running.jobs.size() == 1u);
            text_list keys;
            keys.push_back(running.jobs[0].key);
            co_await act.async_act(job_action::cancel, queue_ref::list(tagged(tag)), std::move(keys));
            co_await events.wait_for(event_kind::lease_lost, lost + 1);
            subject.stop();
            co_await working.join();
            BOOST_TEST(events.count(event_kind::lease_lost) == lost + 1);
            BOOST_TEST(home_of(tag)("LLEN", key("failed", tag)).integer == 1);
        }
        co_await other.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(follows_a_slot_that_moves_while_a_job_runs, cluster_client_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        client other{io.get_executor(), cluster_options()};
        worker subject{redis, observed()};
        list_queue<int> queue{redis, tagged(low)};
        bool is_moved = false;
        subject.handle(queue, [&](int) -> asio::awaitable<void> {
            while (!is_moved)
                co_await let_pass(5ms);
        });
        background working{io.get_executor(), subject.async_run()};
        co_await queue.async_push(1);
        co_await events.wait_for(event_kind::started);
        auto& to = servers.first_owner(detail::slot_of(high));
        move(low, to);
        // This one asks the new node, where the worker, which sends nothing, is not yet.
        BOOST_TEST(co_await monitor(other, low, 3) == 0u);
        BOOST_TEST(to("HLEN", key("progress", low)).integer == 1);
        is_moved = true;
        co_await wait_for_ends(1);
        list_queue<int> same{other, tagged(low)};
        for (int i = 0; i != 50; ++i)
            co_await same.async_push(i);
        co_await wait_for_ends(51);
        subject.stop();
        co_await working.join();
        BOOST_TEST(to("HGET", key("counters", low), "success").text == "51");
        BOOST_TEST(events.count(event_kind::recovered) == 0u);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        co_await other.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(goes_on_with_other_slots_while_a_node_is_frozen, cluster_client_test)
{
    how.command_timeout = how.health_check_interval = 10min; // for longer than the jobs of others take
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        std::map<std::string, int> done;
        worker subject{redis, observed()};
        for (const auto& tag : tags) {
            list_queue<int> queue{redis, tagged(tag)};
            co_await queue.async_push(0);
            subject.handle(queue, [&done, tag](int) { ++done[tag]; });
        }
        background working{io.get_executor(), subject.async_run()};
        co_await wait_for_ends(3);
        home_of(middle).freeze();
        list_queue<int> away{redis, tagged(middle)};
        background waiting{io.get_executor(), away.async_push(1)};
        for (int i = 0; i != 100; ++i)
            for (const auto& tag : {low, high}) {
                list_queue<int> queue{redis, tagged(tag)};
                co_await queue.async_push(i);
            }
        co_await wait_for_ends(203);
        BOOST_TEST(!waiting.has_ended());
        BOOST_TEST(done[low] == 101);
        BOOST_TEST(done[high] == 101);
        BOOST_TEST(done[middle] == 1);
        home_of(middle).thaw();
        co_await waiting.join();
        co_await wait_for_ends(204);
        BOOST_TEST(done[middle] == 2);
        subject.stop();
        co_await working.join();
    });
}

BOOST_AUTO_TEST_SUITE_END()
