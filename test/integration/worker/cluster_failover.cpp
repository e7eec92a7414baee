// SPDX-License-Identifier: MIT
#include "cluster_failover_test.hpp"

#include <boost/test/unit_test.hpp>

/// A replica takes the place of its primary in a cluster, or a slot moves, under load.
BOOST_AUTO_TEST_SUITE(cluster_failover)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

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
    how.health_check_interval = 10min; // its connection does not end
    auto& replica = servers.add_replica_of(home_of(middle));
    account_for(
        [&]() -> asio::awaitable<void> {
            home_of(middle).freeze();
            co_return;
        },
        [&] {
            return is_primary(replica) &&
                   replica("CLIENT", "LIST").text.find(name_of_worker) != std::string::npos;
        },
        [&](const client& producer) -> asio::awaitable<void> {
            home_of(middle).thaw();
            for (bool is_replica = false; !is_replica;) { // pushes go on
                co_await push_to_all(producer, 1);
                is_replica = !is_primary(home_of(middle));
            }
            co_await look_at(replica);
        });
    // What the old primary carries out after its thaw concerns nobody any more.
    BOOST_TEST(books[middle].ran_again() == 0);
}

BOOST_FIXTURE_TEST_CASE(loses_nothing_when_a_replica_takes_over_by_command, failover_test)
{
    auto& replica = servers.add_replica_of(home_of(middle));
    account_for([&]() -> asio::awaitable<void> { co_await promote(replica, home_of(middle)); },
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
