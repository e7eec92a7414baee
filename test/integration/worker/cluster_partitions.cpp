// SPDX-License-Identifier: MIT
#include "support/cluster_client_test.hpp"
#include "support/expect.hpp"

#include "coworker/job_taker.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numeric>
#include <set>

/// One queue over several nodes.
BOOST_AUTO_TEST_SUITE(cluster_partitions)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

constexpr unsigned partitions = 12;

struct partitions_test : cluster_client_test
{
    using cluster_client_test::cluster_client_test;

    list_queue_options divided{.partitions = partitions};

    static std::string tag_of(unsigned partition) { return "numbers:" + std::to_string(partition); }

    std::vector<std::int64_t> lengths()
    {
        std::vector<std::int64_t> all;
        for (unsigned i = 0; i != partitions; ++i)
            all.push_back(home_of(tag_of(i))("LLEN", key("jobs", tag_of(i))).integer);
        return all;
    }
};

struct lasting_partitions_test : partitions_test
{
    lasting_partitions_test() : partitions_test{nullptr, {}, long_node_timeout, true} {}
};

} // namespace

BOOST_FIXTURE_TEST_CASE(get_the_same_number_of_jobs, partitions_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided};
        for (int i = 0; i != 240; ++i)
            co_await queue.async_push(i);
        BOOST_TEST(lengths() == std::vector<std::int64_t>(partitions, 20), boost::test_tools::per_element());
        std::vector<int> many(2400);
        std::iota(many.begin(), many.end(), 0);
        co_await queue.async_push_many(many);
        BOOST_TEST(lengths() == std::vector<std::int64_t>(partitions, 220), boost::test_tools::per_element());
        BOOST_TEST((co_await queue.async_sizes()).waiting == 2640u);
        std::set<redis_server*> nodes;
        for (unsigned i = 0; i != partitions; ++i)
            nodes.insert(&home_of(tag_of(i)));
        BOOST_TEST(nodes.size() == 3u);
    });
}

/// The command line and the gateway have names of queues only.
BOOST_FIXTURE_TEST_CASE(are_used_by_programs_that_do_not_know_their_number, partitions_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const list_queue<int> plain{redis, "numbers"};
        BOOST_TEST(co_await error_of([&]() -> asio::awaitable<void> { co_await plain.async_push(1); }) ==
                   errc::invalid_queue_name);
        std::set<int> done;
        worker subject{redis, observed()};
        subject.handle(plain, [&](int number) { done.insert(number); });
        background working{io.get_executor(), subject.async_run()};

        client other{io.get_executor(), cluster_options()};
        const list_queue<int> queue{other, "numbers", divided};
        for (int i = 0; i != static_cast<int>(partitions); ++i)
            co_await queue.async_push(i);
        co_await wait_for_ends(partitions);
        std::vector<int> many(240);
        std::iota(many.begin(), many.end(), 0);
        co_await plain.async_push_many(many);
        co_await wait_for_ends(partitions + 240);
        BOOST_TEST(done.size() == 240u);
        subject.stop(); // what has ended is acknowledged then
        co_await working.join();
        const auto sizes = co_await plain.async_sizes();
        BOOST_TEST(sizes.total_succeeded == partitions + 240u);
        co_await other.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(are_one_queue_for_a_worker, partitions_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided};
        std::set<int> done;
        worker subject{redis, observed()};
        subject.handle(queue, [&](int number) { done.insert(number); });
        background working{io.get_executor(), subject.async_run()};
        client producer{io.get_executor(), cluster_options()};
        const list_queue<int> same{producer, "numbers", divided};
        std::vector<int> many(1200);
        std::iota(many.begin(), many.end(), 0);
        co_await same.async_push_many(many);
        co_await wait_for_ends(1200);
        // One that waits is woken by all nodes.
        for (int i = 1200; i != 1224; ++i) {
            co_await same.async_push(i);
            co_await wait_for_ends(static_cast<std::size_t>(i) + 1);
        }
        BOOST_TEST(done.size() == 1224u);
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        subject.stop();
        co_await working.join();
        co_await producer.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(are_left_out_while_their_node_is_away, partitions_test)
{
    how.command_timeout = 1min; // those who ask a node that is away wait for longer than the test may
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided};
        for (int i = 0; i != static_cast<int>(partitions); ++i)
            co_await queue.async_push(i);
        const job_taker subject{redis};
        const auto name = queue_ref::list("numbers");
        const auto taken = co_await subject.async_take(name); // which learns of the partitions
        BOOST_TEST(taken.size() == 1u);

        auto& victim = &home_of("hworker-partitions-numbers") == &servers[0] ? servers[1] : servers[0];
        std::vector<unsigned> alive;
        for (unsigned i = 0; i != partitions; ++i)
            if (&home_of(tag_of(i)) != &victim)
                alive.push_back(i);
        BOOST_TEST_REQUIRE(alive.size() < partitions);
        victim.kill();
        co_await events.wait_for(event_kind::disconnected, 1);
        const auto waiting = [&] {
            std::int64_t sum = 0;
            for (const auto i : alive)
                sum += home_of(tag_of(i))("LLEN", key("jobs", tag_of(i))).integer;
            return sum;
        };
        const auto before = waiting();
        for (int i = 0; i != 48; ++i)
            co_await queue.async_push(i);
        std::vector<int> many(48);
        co_await queue.async_push_many(many);
        BOOST_TEST(waiting() == before + 96);

        take_options wanted;
        wanted.count = 50;
        while (waiting() != 0) {
            const auto jobs = co_await subject.async_take(name, wanted);
            BOOST_TEST_REQUIRE(!jobs.empty());
        }
    });
}

BOOST_FIXTURE_TEST_CASE(are_left_out_by_those_who_have_never_reached_their_node, partitions_test)
{
    how.command_timeout = 1min;
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided};
        for (int i = 0; i != static_cast<int>(partitions); ++i)
            co_await queue.async_push(i);
        auto& victim = &home_of("hworker-partitions-numbers") == &servers[0] ? servers[1] : servers[0];
        victim.kill();
        client late{io.get_executor(), cluster_options()};
        const list_queue<int> same{late, "numbers", divided};
        for (int i = 0; i != 24; ++i)
            co_await same.async_push(i);
        std::vector<int> many(24);
        co_await same.async_push_many(many);
        std::int64_t waiting = 0;
        for (unsigned i = 0; i != partitions; ++i)
            if (auto& home = home_of(tag_of(i)); &home != &victim)
                waiting += home("LLEN", key("jobs", tag_of(i))).integer - 1;
        BOOST_TEST(waiting == 48);
        co_await late.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(are_worked_off_while_the_node_that_has_their_number_is_away, partitions_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided};
        for (int i = 0; i != static_cast<int>(partitions); ++i)
            co_await queue.async_push(i);
        auto& victim = home_of("hworker-partitions-numbers");
        std::size_t there = 0;
        for (unsigned i = 0; i != partitions; ++i)
            there += &home_of(tag_of(i)) != &victim ? 1 : 0;
        BOOST_TEST_REQUIRE(there > 1u);
        victim.kill();
        auto how_to_connect = cluster_options();
        how_to_connect.url =
            how_to_connect.url.str() + ",127.0.0.1:" + std::to_string(servers.port_of(servers[1]));
        client late{io.get_executor(), how_to_connect};
        const list_queue<int> same{late, "numbers", divided};
        worker subject{late, observed()};
        subject.handle(same, [](int) {});
        background working{io.get_executor(), subject.async_run()};
        co_await wait_for_ends(there);
        subject.stop();
        co_await working.join();
        co_await late.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(are_looked_for_again_when_the_node_that_has_their_number_is_back,
                        lasting_partitions_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided};
        for (int i = 0; i != static_cast<int>(partitions); ++i)
            co_await queue.async_push(i);
        auto& victim = home_of("hworker-partitions-numbers");
        victim.kill();
        auto how_to_connect = cluster_options();
        how_to_connect.url =
            "redis+cluster://127.0.0.1:" +
            std::to_string(servers.port_of(&victim == &servers[0] ? servers[1] : servers[0]));
        client late{io.get_executor(), how_to_connect};
        const list_queue<int> without_number{late, "numbers"};
        worker subject{late, observed()};
        subject.handle(without_number, [](int) {});
        background working{io.get_executor(), subject.async_run()};
        co_await events.wait_until("the worker says what it does not know", [](const event_log& log) {
            const auto warnings = log.of(event_kind::warning);
            return std::any_of(warnings.begin(), warnings.end(), [](const recorded_event& warning) {
                return warning.message.find("how many partitions") != std::string::npos;
            });
        });
        victim.restart();
        co_await wait_for_ends(partitions);
        subject.stop();
        co_await working.join();
        BOOST_TEST((co_await queue.async_sizes()).total_succeeded == partitions);
        co_await late.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(are_one_queue_for_those_who_take_jobs, partitions_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const job_taker subject{redis};
        const auto name = queue_ref::list("numbers");
        take_options wanted;
        wanted.count = 50;
        const auto none = co_await subject.async_take(name, wanted);
        BOOST_TEST(none.empty());

        client producer{io.get_executor(), cluster_options()};
        const list_queue<int> queue{producer, "numbers", divided};
        co_await queue.async_push(0);
        const job_taker other{redis}; // which asks how many partitions there are now
        wanted.wait = 1min;
        std::set<std::string> taken;
        const auto take = [&]() -> asio::awaitable<void> {
            auto jobs = co_await other.async_take(name, wanted);
            std::vector<ended_job> ended;
            for (const auto& job : jobs) {
                taken.insert(job.data);
                ended.emplace_back(job.token, success());
            }
            const auto results = co_await other.async_acknowledge(name, std::move(ended));
            for (const auto& each : results)
                BOOST_TEST(each.has_value());
        };
        co_await take();
        std::vector<int> many(1199);
        std::iota(many.begin(), many.end(), 1);
        co_await queue.async_push_many(many);
        while (taken.size() < 1200)
            co_await take();
        // One who waits is woken by all nodes.
        for (std::size_t i = 1200; i != 1224; ++i) {
            background waiting{io.get_executor(), take()};
            co_await queue.async_push(static_cast<int>(i));
            co_await waiting.join();
            BOOST_TEST(taken.size() == i + 1);
        }
        const auto sizes = co_await queue.async_sizes();
        BOOST_TEST(sizes.total_succeeded == 1224u);
        BOOST_TEST(sizes.running == 0u);
        co_await producer.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
