// SPDX-License-Identifier: MIT
#include "support/cluster_test.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_SUITE_END()
