// SPDX-License-Identifier: MIT
#include "support/cluster_test.hpp"
#include "support/expect.hpp"
#include "support/redis_test.hpp"

#include "coworker/client.hpp"
#include "coworker/list_queue.hpp"
#include "coworker/worker.hpp"

#include <boost/test/unit_test.hpp>

/// What a client does where a later release keeps the jobs in another layout.
BOOST_AUTO_TEST_SUITE(client_layouts)

using namespace coworker;
using namespace coworker::test;

namespace {

/// What a later release does before it writes the first key that this one does not know.
void begin_next_layout(redis_server& server, redis_server& home)
{
    home("SET", "coworker:layout", "2");
    server("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    server("CLIENT", "KILL", "TYPE", "pubsub", "SKIPME", "yes");
}

} // namespace

BOOST_FIXTURE_TEST_CASE(of_a_later_release_are_refused, redis_test)
{
    server("SET", "coworker:layout", "2");
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        const list_queue<int> numbers{redis, "numbers"};
        const auto error = co_await error_of(numbers.async_push(1));
        BOOST_TEST(error == errc::newer_layout);
        BOOST_TEST(error.says("coworker:layout is 2, and this release knows up to 1"), error);
        BOOST_TEST(error.says("update this program"), error);
        BOOST_TEST(server("DBSIZE").integer == 1);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(of_this_release_are_accepted, redis_test)
{
    server("SET", "coworker:layout", "1");
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        const list_queue<int> numbers{redis, "numbers"};
        co_await numbers.async_push(1);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(that_change_end_a_client_that_has_worked, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), observed_options()};
        const list_queue<int> numbers{redis, "numbers"};
        co_await numbers.async_push(1);
        begin_next_layout(server, server);
        const auto told = co_await events.wait_for(event_kind::warning);
        BOOST_TEST(told.message.find("update this program") != std::string::npos, told.message);
        BOOST_TEST(co_await error_of(numbers.async_push(2)) == errc::newer_layout);
        BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 1);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(that_change_end_a_worker_and_leave_its_jobs, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), observed_options()};
        const list_queue<int> numbers{redis, "numbers"};
        worker works{redis};
        bool runs = false;
        works.handle(numbers, [&](int) -> asio::awaitable<void> {
            runs = true;
            asio::steady_timer never{io, asio::steady_timer::time_point::max()};
            co_await never.async_wait(asio::use_awaitable);
        });
        co_await numbers.async_push(1);
        background running{io.get_executor(), works.async_run()};
        co_await eventually("the job runs", [&] { return runs; });
        begin_next_layout(server, server);
        const auto told = co_await running.join_and_tell();
        BOOST_TEST(told.find("update this program") != std::string::npos, told);
        BOOST_TEST(server("HLEN", "hworker-progress-numbers").integer == 1);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(that_cannot_be_read_are_told_of, redis_test)
{
    server("ACL", "SETUSER", "ada", "on", ">secret", "~hworker-*", "&*", "+@all");
    auto how = observed_options();
    how.user = "ada";
    how.password = "secret";
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), how};
        const list_queue<int> numbers{redis, "numbers"};
        co_await numbers.async_push(1);
        const auto told = events.of(event_kind::warning);
        BOOST_REQUIRE(!told.empty());
        BOOST_TEST(told[0].message.find("GET coworker:layout is refused") != std::string::npos,
                   told[0].message);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(of_a_cluster_are_read_where_the_key_is, cluster_test)
{
    home_of("coworker:layout")("SET", "coworker:layout", "2");
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        for (const auto& key : {low, middle, high}) {
            const auto error = co_await error_of(send(redis, command("SET", key, "0")));
            BOOST_TEST(error == errc::newer_layout);
            BOOST_TEST(error.says("coworker:layout is 2"), error);
        }
    });
    for (const auto& key : {low, middle, high})
        BOOST_TEST(home_of(key)("DBSIZE").integer == (&home_of(key) == &home_of("coworker:layout") ? 1 : 0));
}

BOOST_FIXTURE_TEST_CASE(of_a_cluster_that_change_end_a_client, cluster_test)
{
    run([&](detail::cluster& redis) -> asio::awaitable<void> {
        co_await send(redis, command("SET", high, "0"));
        begin_next_layout(home_of(high), home_of("coworker:layout"));
        bool is_refused = false;
        while (!is_refused)
            is_refused = co_await error_of(send(redis, command("PING"))) == errc::newer_layout;
        BOOST_TEST(co_await error_of(send(redis, command("SET", high, "1"))) == errc::newer_layout);
        BOOST_TEST(home_of(high)("GET", high).text == "0");
    });
}

BOOST_AUTO_TEST_SUITE_END()
