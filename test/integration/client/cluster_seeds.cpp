// SPDX-License-Identifier: MIT
#include "support/cluster_client_test.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

/// Nodes from which a client can learn who serves what, though they serve nothing themselves, or nothing any more.
BOOST_AUTO_TEST_SUITE(cluster_seeds)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

asio::awaitable<void> set(detail::cluster& redis, std::string key, std::string value)
{
    const auto answers = co_await send(redis, command("SET", key, value));
    answers.throw_if_error();
}

struct short_timeout_test : cluster_test
{
    short_timeout_test() : cluster_test{nullptr, {}, node_timeout_for_failovers} {}
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_replica_will_do, cluster_test)
{
    seeds = {address_of(servers.add_replica_of(servers[1]))};
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        for (const auto& key : {low, middle, high}) {
            co_await set(redis, key, "1");
            BOOST_TEST(home_of(key)("GET", key).text == "1");
        }
        BOOST_TEST(redis.nodes() == 3u); // the replica is no longer connected to
        BOOST_TEST(events.count(event_kind::warning) == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_replica_will_do_where_a_password_is_needed, cluster_test)
{
    auto& replica = servers.add_replica_of(servers[1]);
    seeds = {address_of(replica)};
    for (auto* node : {&servers[0], &servers[1], &servers[2], &replica})
        (*node)("ACL", "SETUSER", "worker", "on", ">secret", "~*", "&*", "+@all");
    how.user = "worker";
    how.password = "secret";
    run([&](detail::cluster& redis) -> asio::awaitable<void> { co_await set(redis, high, "1"); });
    how.password = "wrong";
    how.command_timeout = 1s;
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        BOOST_TEST(co_await error_of(redis.ready(detail::patience::command_timeout)) ==
                   errc::authentication_refused);
    });
}

BOOST_FIXTURE_TEST_CASE(a_client_works_with_replicas_as_seeds, cluster_client_test)
{
    const auto first = address_of(servers.add_replica_of(servers[0]));
    const auto second = address_of(servers.add_replica_of(servers[2]));
    auto options = cluster_options();
    options.url = "redis+cluster://127.0.0.1:" + first.port + ",127.0.0.1:" + second.port;
    run_alone([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options};
        co_await redis.async_connect();
        worker subject{redis, observed()};
        for (const auto& tag : tags) {
            list_queue<int> queue{redis, tagged(tag)};
            subject.handle(queue, [](int) {});
            co_await queue.async_push(1);
        }
        background working{io.get_executor(), subject.async_run()};
        co_await wait_for_ends(3);
        BOOST_TEST(events.count(event_kind::succeeded) == 3u);
        subject.stop();
        co_await working.join();
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_primary_that_has_become_a_replica_will_do, cluster_test)
{
    auto& replica = servers.add_replica_of(servers[0]);
    const auto whole = [&]() -> asio::awaitable<void> { co_await promote(replica, servers[0]); };
    run_coroutine(io, whole());
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        co_await set(redis, low, "1");
        BOOST_TEST(replica("GET", low).text == "1");
    });
}

BOOST_FIXTURE_TEST_CASE(the_only_seed_becomes_a_replica_while_the_connection_is_away, cluster_test)
{
    auto& replica = servers.add_replica_of(servers[0]);
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        co_await set(redis, low, "1");
        BOOST_TEST(redis.nodes() == 1u);
        co_await promote(replica, servers[0]);
        servers[0]("CLIENT", "KILL", "TYPE", "pubsub");
        // On a busy machine another node may have seemed to be lost, so that the client has asked, and left by itself.
        co_await events.wait_until("the client leaves the replica", [](const event_log& seen) {
            return seen.count(event_kind::disconnected) != 0 || seen.count(event_kind::connected) > 1;
        });
        co_await set(redis, low, "2");
        BOOST_TEST(replica("GET", low).text == "2");
        BOOST_TEST(redis.nodes() <= 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(other_primaries_tell_when_the_only_seed_has_died, short_timeout_test)
{
    auto& replica = servers.add_replica_of(servers[0]);
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        co_await set(redis, low, "1");
        BOOST_TEST(redis.nodes() == 1u);
        servers[0].kill();
        co_await eventually("the replica takes over", [&] { return is_primary(replica); });
        co_await set(redis, low, "2");
        BOOST_TEST(replica("GET", low).text == "2");
    });
}

BOOST_AUTO_TEST_SUITE_END()
