// SPDX-License-Identifier: MIT
#include "support/cluster_test.hpp"
#include "support/expect.hpp"

#include "coworker/client.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(client_cluster)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;
using boost::redis::request;
using detail::slot_of;

BOOST_FIXTURE_TEST_CASE(sends_commands_to_where_their_keys_are, cluster_test)
{
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        co_await send(redis, command("SET", low, "0"));
        request all;
        all.push("SET", low, "1");
        all.push("SET", middle, "2");
        all.push("SET", high, "3");
        all.push("GET", low);
        all.push("LRANGE", "none", 0, -1);
        all.push("PING");
        const auto answers = co_await send(redis, all);
        BOOST_TEST(answers.tree.get_total_msgs() == 6u);
        BOOST_TEST(answers[2].text() == "OK");
        BOOST_TEST(answers[3].text() == "1");
        BOOST_TEST(answers[4].size() == 0u);
        BOOST_TEST(answers[5].text() == "PONG");
        BOOST_TEST(home_of(low)("GET", low).text == "1");
        BOOST_TEST(home_of(middle)("GET", middle).text == "2");
        BOOST_TEST(home_of(high)("GET", high).text == "3");
        BOOST_TEST(redis.nodes() == 3u);
        for (std::size_t i = 0; i != 3; ++i) // none has had to send a command elsewhere
            BOOST_TEST(servers[i]("INFO", "errorstats").text.find("MOVED") == std::string::npos);
    });
}

BOOST_FIXTURE_TEST_CASE(connects_to_primaries_that_are_needed, cluster_test)
{
    seeds = {{"localhost", seeds[0].port}}; // the name by which nobody else knows it
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        co_await send(redis, command("SET", high, "3"));
        // On a machine so slow that a node seems to be lost, another one is asked.
        BOOST_TEST((redis.nodes() == 1u || redis.refreshes() > 1u));
    });
}

BOOST_FIXTURE_TEST_CASE(gives_a_node_a_script_that_it_lacks, cluster_test)
{
    how.url = "redis+cluster://127.0.0.1:" + seeds[0].port;
    run([&](detail::cluster&) -> asio::awaitable<void> {
        client redis{io.get_executor(), how};
        for (const auto& key : {low, middle, high, middle}) {
            home_of(key)("SCRIPT", "FLUSH");
            detail::script_arguments arguments{key};
            arguments.add("me");
            arguments.add_number(60'000);
            auto& all = detail::connection_of(redis);
            const auto answer = co_await all.call(detail::find_script("redis/lead"), arguments);
            BOOST_TEST(answer.back().integer() == 0);
            BOOST_TEST(home_of(key)("EXISTS", key).integer == 1);
        }
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(gives_a_script_to_each_node_that_lacks_it, cluster_test)
{
    how.url = "redis+cluster://127.0.0.1:" + seeds[0].port;
    run([&](detail::cluster&) -> asio::awaitable<void> {
        client redis{io.get_executor(), how};
        const std::vector<std::string> keys{low, middle, high, "{" + low + "}2"};
        std::vector<detail::script_arguments> calls;
        for (const auto& key : keys) {
            home_of(key)("SCRIPT", "FLUSH");
            calls.emplace_back(key);
        }
        home_of(high)("SET", high, "me", "PX", "60000");
        auto& all = detail::connection_of(redis);
        const auto answers = co_await all.call_each(detail::find_script("redis/leader"), calls);
        for (std::size_t i = 0; i != keys.size(); ++i)
            BOOST_TEST((answers[i].integer() > 0) == (keys[i] == high)); // nobody leads elsewhere
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(asks_the_next_seed_when_one_is_not_there, cluster_test)
{
    seeds = {{"127.0.0.1", std::to_string(find_free_port())}, address_of(servers[2])};
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        const auto answers = co_await send(redis, command("SET", low, "1"));
        BOOST_TEST(answers[0].text() == "OK");
    });
}

BOOST_FIXTURE_TEST_CASE(says_when_no_seed_is_there, cluster_test)
{
    seeds = {{"127.0.0.1", std::to_string(find_free_port())}};
    how.command_timeout = 300ms;
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        BOOST_TEST(co_await error_of(send(redis, command("SET", low, "1"))) == errc::unavailable);
    });
}

BOOST_FIXTURE_TEST_CASE(says_when_a_seed_is_a_single_server, cluster_test)
{
    redis_server single{{.tcp = true}};
    seeds = {address_of(single)};
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        const auto error = co_await error_of(send(redis, command("SET", low, "1")));
        BOOST_TEST(error == errc::invalid_option);
        BOOST_TEST(error.says("is no node of a Redis Cluster"));
    });
}

BOOST_FIXTURE_TEST_CASE(follows_a_slot_that_has_moved_with_one_question_for_many_calls, cluster_test)
{
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        co_await send(redis, command("SET", low, "0"));
        auto& from = home_of(low);
        auto& to = home_of(high);
        servers.open_slot(slot_of(low), from, to);
        servers.move_keys(slot_of(low), from, to);
        servers.close_slot(slot_of(low), from, to);
        const auto before = redis.refreshes();
        std::vector<background> calls;
        for (int i = 0; i != 100; ++i)
            calls.emplace_back(io.get_executor(), [](detail::cluster& on) -> asio::awaitable<void> {
                co_await send(on, command("INCR", low));
            }(redis));
        for (auto& call : calls)
            co_await call.join();
        BOOST_TEST(to("GET", low).text == "100");
        BOOST_TEST(redis.refreshes() - before <= 2u);
    });
}

/// Pushes the numbers from 1 on, one after the other.
asio::awaitable<void> push_numbers(detail::cluster& redis, const bool& stop, int& pushed)
{
    while (!stop) {
        co_await send(redis, command("RPUSH", low, pushed + 1));
        ++pushed;
    }
}

BOOST_FIXTURE_TEST_CASE(loses_and_repeats_nothing_while_a_slot_moves_under_load, cluster_test)
{
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        bool stop = false;
        int pushed = 0;
        background pushing{io.get_executor(), push_numbers(redis, stop, pushed)};
        auto* from = &home_of(low);
        auto* to = &home_of(middle);
        for (int i = 0; i != 4; ++i) {
            const auto more = [&pushed, until = pushed + 50] { return pushed > until; };
            co_await eventually("more is pushed", more);
            servers.open_slot(slot_of(low), *from, *to);
            co_await let_pass(3ms);
            servers.move_keys(slot_of(low), *from, *to);
            co_await let_pass(3ms);
            servers.close_slot(slot_of(low), *from, *to);
            std::swap(from, to);
            co_await eventually("the nodes agree", [&] { return servers.agree(); });
        }
        stop = true;
        co_await pushing.join();
        std::vector<std::string> expected;
        for (int i = 1; i <= pushed; ++i)
            expected.push_back(std::to_string(i));
        BOOST_TEST((*from)("LRANGE", low, 0, -1).texts() == expected, boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(lets_a_script_wait_while_its_slot_is_in_two_places, cluster_test)
{
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        auto& from = home_of(low);
        auto& to = home_of(high);
        co_await send(redis, command("SET", middle, "x"));
        servers.open_slot(slot_of(low), from, to);
        bool has_led = false;
        background leading{io.get_executor(), [](detail::cluster& on, bool& done) -> asio::awaitable<void> {
                               detail::script_arguments arguments{low};
                               arguments.add("me");
                               arguments.add_number(60'000);
                               const auto& script = detail::find_script("redis/lead");
                               request call;
                               detail::push_call(call, script, arguments);
                               co_await send(on, detail::with_script(script, call));
                               done = true;
                           }(redis, has_led)};
        co_await let_pass(100ms);
        BOOST_TEST(!has_led);
        BOOST_TEST(to("DBSIZE").integer == 0); // it has not been carried out on a part of its keys
        servers.close_slot(slot_of(low), from, to);
        co_await leading.join();
        BOOST_TEST(to("EXISTS", low).integer == 1);
    });
}

BOOST_AUTO_TEST_SUITE_END()
