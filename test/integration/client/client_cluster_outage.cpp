// SPDX-License-Identifier: MIT
#include "support/client_list.hpp"
#include "support/cluster_test.hpp"
#include "support/expect.hpp"

#include "redis/cluster/key_slot.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(client_cluster_outage)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

asio::awaitable<void> set(detail::cluster& redis, std::string key, std::string value)
{
    const auto answers = co_await send(redis, command("SET", key, value));
    answers.throw_if_error();
}

/// Kills the node that has the key, and waits until its client has noticed.
asio::awaitable<void> kill_home_of(cluster_test& test, const std::string& key)
{
    const auto before = test.events.count(event_kind::disconnected);
    test.home_of(key).kill();
    co_await test.events.wait_until("the connection is lost", [before](const event_log& log) {
        return log.count(event_kind::disconnected) > before;
    });
}

BOOST_FIXTURE_TEST_CASE(lets_calls_for_other_nodes_go_on, cluster_test)
{
    how.command_timeout = 1min; // for longer than the calls for others take
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        for (const auto& key : {low, middle, high})
            co_await set(redis, key, "1");
        const auto before = redis.refreshes();
        co_await kill_home_of(*this, middle);
        background waiting{io.get_executor(), set(redis, middle, "2")};
        for (int i = 0; i != 200; ++i) {
            co_await set(redis, low, "2");
            co_await set(redis, high, "2");
        }
        BOOST_TEST(!waiting.has_ended());
        home_of(middle).restart();
        co_await waiting.join(); // it was not sent to the dead node, nor lost
        BOOST_TEST(home_of(middle)("GET", middle).text == "2");
        BOOST_TEST(redis.refreshes() - before < 50u); // and this did not take a question per call
    });
}

BOOST_FIXTURE_TEST_CASE(makes_calls_for_a_node_that_stays_away_fail_in_time, cluster_test)
{
    how.command_timeout = 500ms;
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        co_await set(redis, high, "1");
        co_await kill_home_of(*this, high);
        BOOST_TEST(co_await error_of(set(redis, high, "2")) == errc::unavailable);
    });
}

BOOST_FIXTURE_TEST_CASE(leaves_what_was_sent_and_not_answered_in_doubt, cluster_test)
{
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        co_await set(redis, high, "1");
        home_of(high).freeze();
        background waiting{io.get_executor(), set(redis, high, "2")};
        co_await let_pass(100ms); // to be written
        home_of(high).kill();
        BOOST_TEST(co_await error_of([&] { return waiting.join(); }) == errc::in_doubt);
    });
}

BOOST_FIXTURE_TEST_CASE(gives_a_call_its_time_once_however_long_it_waits_for_the_node, cluster_test)
{
    using clock = std::chrono::steady_clock;
    auto& home = home_of(high);
    const auto place = "127.0.0.1:" + std::to_string(home.tcp_port());
    how.command_timeout = 2s;
    const auto freeze_again = [&, tell = events.observe()](const event& what) {
        tell(what);
        if (what.kind == event_kind::connected && what.message.starts_with(place))
            home.freeze(); // the call is sent now, and not answered
    };
    how.on_event = freeze_again;
    home.freeze();
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        const auto began = clock::now();
        background waiting{io.get_executor(), set(redis, high, "1")};
        co_await let_pass(1200ms);
        home.thaw();
        BOOST_TEST(co_await error_of([&] { return waiting.join(); }) == errc::timed_out);
        BOOST_TEST((clock::now() - began < 2900ms));
        BOOST_TEST(events.count(event_kind::connected) == 2u);
        home.thaw();
    });
}

/// What was written there may arrive late: so it counts which object the connection belonged to.
BOOST_FIXTURE_TEST_CASE(has_a_node_close_what_an_earlier_object_gave_up, cluster_test)
{
    auto& home = home_of(high);
    auto& replica = servers.add_replica_of(home);
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        co_await set(redis, high, "1");
        home.freeze();
        background given_up{io.get_executor(), set(redis, high, "given up")};
        co_await let_pass(50ms); // until it has been written
        given_up.cancel();
        BOOST_TEST((co_await error_of([&] { return given_up.join(); })).code.has_value());
        home.thaw();
        co_await promote(replica, home);
        co_await set(redis, high, "2");
        co_await eventually("the client has left the replica", [&] {
            auto clients = client_list(home);
            return std::none_of(clients.begin(), clients.end(),
                                [](auto& each) { return each["name"].starts_with("coworker:"); });
        });
        co_await promote(home, replica);
        co_await set(redis, high, "3");
        BOOST_TEST(home("GET", high).text == "3");
        BOOST_TEST(home.raw().info("commandstats", "cmdstat_client|kill").starts_with("calls=1,"));
    });
}

BOOST_FIXTURE_TEST_CASE(gives_a_confirmed_call_its_time_once, cluster_test)
{
    using clock = std::chrono::steady_clock;
    how.command_timeout = 4s;
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        const auto wanted = durability::replicated(1, 100ms);
        co_await set(redis, high, "1");
        home_of(high).freeze(); // the connection for confirmed writes is made now
        const auto began = clock::now();
        const auto write = command("SET", high, "2");
        detail::reply answers;
        std::exception_ptr unconfirmed;
        const auto error = co_await error_of(
            [&] { return redis.exec_confirmed(write, answers, wanted, unconfirmed, detail::slot_of(high)); });
        BOOST_TEST(error == errc::unavailable, error);
        BOOST_TEST((clock::now() - began < 2 * how.command_timeout)); // not once more for each step
        home_of(high).thaw();
        BOOST_TEST(home_of(high)("GET", high).text == "1");
    });
}

BOOST_FIXTURE_TEST_CASE(repeats_what_is_refused_less_and_less_often, cluster_test)
{
    how.command_timeout = 2s;
    auto& home = home_of(high);
    home("CLUSTER", "DELSLOTS", detail::slot_of(high));
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        BOOST_TEST(co_await error_of(set(redis, high, "1")) == errc::unavailable);
        const auto count = home.raw().info("errorstats", "errorstat_CLUSTERDOWN");
        BOOST_TEST(std::stoi(count.substr(count.find('=') + 1)) < 30);
    });
}

/// Only its replicas can change that: a new connection would not.
BOOST_FIXTURE_TEST_CASE(rests_at_a_primary_that_lacks_replicas, cluster_test)
{
    how.command_timeout = 1min;
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        for (const auto& key : {low, high})
            co_await set(redis, key, "1");
        auto& home = home_of(high);
        const auto connections = home.raw().info("stats", "total_connections_received");
        const auto refusals = [&] {
            const auto count = home.raw().info("errorstats", "errorstat_NOREPLICAS");
            return count.empty() ? 0 : std::stoi(count.substr(count.find('=') + 1));
        };
        home("CONFIG", "SET", "min-replicas-to-write", 1);
        background waiting{io.get_executor(), set(redis, high, "2")};
        co_await eventually("the call has been tried several times", [&] { return refusals() >= 4; });
        BOOST_TEST(!waiting.has_ended());
        co_await set(redis, low, "2"); // another node's is not held up
        home("CONFIG", "SET", "min-replicas-to-write", 0);
        co_await waiting.join();
        BOOST_TEST(home("GET", high).text == "2");
        BOOST_TEST(home.raw().info("stats", "total_connections_received") == connections);
        BOOST_TEST(events.count(event_kind::disconnected) == 0u);
        BOOST_TEST(events.count(event_kind::warning) == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
