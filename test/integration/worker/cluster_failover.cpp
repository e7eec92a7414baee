// SPDX-License-Identifier: MIT
#include "job_account.hpp"
#include "support/cluster_client_test.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

/// A replica takes the place of its primary in a cluster, or a slot moves, under load.
BOOST_AUTO_TEST_SUITE(cluster_failover)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

using failover_clock = std::chrono::steady_clock;

double seconds_of(failover_clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

/// A queue at each of three nodes, and what is pushed to them one after the other and worked off meanwhile.
struct failover_test : cluster_client_test
{
    std::map<std::string, job_account> books;
    int next = 0;
    int replicated = 0; ///< so many pushes of the middle queue had reached its replica
    int taken_over = 0; ///< from here on everything is well again

    asio::awaitable<void> push_to(const client& producer, std::string tag)
    {
        const list_queue<int> queue{producer, tagged(tag)};
        co_await books[tag].push(queue, next);
    }

    asio::awaitable<void> push_to_all(const client& producer, int count)
    {
        for (const int end = next + count; next != end; ++next)
            for (const auto& tag : tags)
                co_await push_to(producer, tag);
    }

    /// Until the middle queue takes pushes and `is_over` says so. The other queues take all pushes meanwhile.
    asio::awaitable<void> push_until(const client& producer, std::function<bool()> is_over)
    {
        const auto begun = failover_clock::now();
        bool has_ended = false;
        while (!has_ended) {
            BOOST_REQUIRE((failover_clock::now() - begun < 40s));
            for (const auto& tag : {low, high})
                co_await push_to(producer, tag);
            co_await push_to(producer, middle);
            has_ended = books[middle].acknowledged.contains(next) && is_over();
            ++next;
        }
        taken_over = next;
    }

    void wait_until_replicated()
    {
        auto& primary = home_of(middle).raw();
        primary("SET", '{' + middle + "}last", 1); // WAIT waits for the last write of its own connection
        BOOST_TEST(primary("WAIT", 1, 10'000).integer == 1);
        replicated = next;
    }

    /// Works and pushes, before `replace`, until `is_over`, and after it.
    void account_for(std::function<asio::awaitable<void>()> replace, std::function<bool()> is_over,
                     std::function<asio::awaitable<void>(const client&)> check)
    {
        run_with_client([&](client& redis) -> asio::awaitable<void> {
            auto how_to_push = cluster_options();
            how_to_push.command_timeout = 3s;
            client producer{io.get_executor(), how_to_push};
            worker subject{redis, observed()};
            for (const auto& tag : tags) {
                list_queue<int> queue{redis, tagged(tag)};
                auto& book = books[tag];
                subject.handle(queue, [&book](int number) { book.start(number); });
            }
            background working{io.get_executor(), subject.async_run()};
            co_await push_to_all(producer, 200);
            wait_until_replicated();
            for (const auto& tag : tags)
                books[tag].longest_pause = {};
            background replacing{io.get_executor(), replace()};
            co_await push_until(producer, [&] { return replacing.has_ended() && is_over(); });
            co_await replacing.join();
            co_await check(producer);
            taken_over = next;
            co_await push_to_all(producer, 100);
            co_await eventually("all jobs that must be there have run", [&] {
                return books[middle].missing(taken_over).empty() && books[low].missing().empty() &&
                       books[high].missing().empty();
            });
            subject.stop();
            co_await working.join();
            co_await producer.async_stop();
        });
        judge();
    }

    void judge()
    {
        for (const auto& tag : {low, high}) {
            BOOST_TEST(books[tag].unknown.empty());
            BOOST_TEST(books[tag].ran_again() == 0);
        }
        for (const int number : books[middle].missing()) // whatever the replica had is there
            BOOST_TEST(number >= replicated);
        BOOST_TEST_MESSAGE("next job after "
                           << seconds_of(books[middle].longest_pause) << " s, elsewhere after "
                           << seconds_of(std::max(books[low].longest_pause, books[high].longest_pause))
                           << " s; accepted and lost " << books[middle].missing().size() << ", in doubt "
                           << books[middle].unknown.size() << ", ran again " << books[middle].ran_again());
    }

    void judge_that_nothing_is_lost()
    {
        BOOST_TEST(books[middle].missing().empty());
        BOOST_TEST(books[middle].unknown.empty());
    }

    /// The worker is known at the node, and holds nothing there when all is done.
    asio::awaitable<void> look_at(redis_server& node)
    {
        BOOST_TEST(node("ROLE").texts().front() == "master");
        co_await eventually("the worker is known there",
                            [&] { return node("HLEN", key("workers", middle)).integer == 1; });
        co_await eventually("nothing is in progress",
                            [&] { return node("HLEN", key("progress", middle)).integer == 0; });
    }
};

bool is_primary(redis_server& node)
{
    return node.raw().info("replication", "role") == "master";
}

} // namespace

BOOST_FIXTURE_TEST_CASE(accounts_for_each_job_when_a_primary_is_killed, failover_test)
{
    auto& replica = servers.add_replica_of(home_of(middle));
    account_for(
        [&]() -> asio::awaitable<void> {
            home_of(middle).kill();
            co_return;
        },
        [&] { return is_primary(replica); },
        [&](const client&) -> asio::awaitable<void> { co_await look_at(replica); });
}

BOOST_FIXTURE_TEST_CASE(accounts_for_each_job_when_a_primary_is_frozen, failover_test)
{
    auto& replica = servers.add_replica_of(home_of(middle));
    account_for(
        [&]() -> asio::awaitable<void> {
            home_of(middle).freeze();
            co_return;
        },
        [&] { return is_primary(replica); },
        [&](const client& producer) -> asio::awaitable<void> {
            home_of(middle).thaw();
            for (bool is_replica = false; !is_replica;) { // pushes go on
                co_await push_to_all(producer, 1);
                is_replica = !is_primary(home_of(middle));
            }
            co_await look_at(replica);
        });
}

BOOST_FIXTURE_TEST_CASE(loses_nothing_when_a_replica_takes_over_by_command, failover_test)
{
    auto& replica = servers.add_replica_of(home_of(middle));
    account_for(
        [&]() -> asio::awaitable<void> {
            replica("CLUSTER", "FAILOVER");
            co_return;
        },
        [&] { return is_primary(replica) && !is_primary(home_of(middle)); },
        [&](const client&) -> asio::awaitable<void> { co_await look_at(replica); });
    judge_that_nothing_is_lost();
}

BOOST_FIXTURE_TEST_CASE(loses_nothing_when_a_slot_moves, failover_test)
{
    servers.add_replica_of(home_of(middle));
    const auto slot = detail::slot_of(middle);
    auto& from = home_of(middle);
    auto& to = home_of(high);
    account_for(
        [&]() -> asio::awaitable<void> {
            servers.open_slot(slot, from, to);
            while (from("CLUSTER", "COUNTKEYSINSLOT", slot).integer != 0) {
                for (const auto& each : from("CLUSTER", "GETKEYSINSLOT", slot, 1).texts())
                    from("MIGRATE", "127.0.0.1", to.tcp_port(), each, 0, 5000);
                co_await let_pass(5ms); // others go on meanwhile
            }
            servers.close_slot(slot, from, to);
        },
        [&] { return servers.agree(); },
        [&](const client&) -> asio::awaitable<void> { co_await look_at(to); });
    judge_that_nothing_is_lost();
    BOOST_TEST(books[middle].ran_again() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
