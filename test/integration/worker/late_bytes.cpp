// SPDX-License-Identifier: MIT
#include "signal.hpp"
#include "support/client_list.hpp"
#include "support/client_test.hpp"
#include "support/cutting_proxy.hpp"

#include "coworker/handlers_by_kind.hpp"
#include "coworker/managed_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What a connection has written arrives long after it was given up.
BOOST_AUTO_TEST_SUITE(late_bytes)

namespace {

struct late_test : redis_test
{
    cutting_proxy proxy{io.get_executor(), server.folder().file("proxy.sock"), server.socket_path()};
    detail::signal may_end{io.get_executor()};
    bool ends = false;
    std::size_t runs = 0;

    client_options watchful(const std::string& user = "") const
    {
        auto how = observed_options();
        how.url = proxy.url();
        how.user = user;
        how.password = user.empty() ? "" : "secret";
        how.health_check_interval = 200ms;
        return how;
    }

    /// From now on nothing passes on the connections that there are. Returns their numbers at the server.
    std::vector<std::string> hold_connections()
    {
        std::vector<std::string> ids;
        for (auto& each : client_list(server))
            ids.push_back(each["id"]);
        proxy.hold([last = proxy.visitors()](const auto& who) { return who.number <= last; });
        return ids;
    }

    asio::awaitable<void> release(const std::vector<std::string>& held)
    {
        proxy.hold({});
        co_await eventually("what was held has come to an end", [&] {
            auto there = client_list(server);
            return std::none_of(there.begin(), there.end(), [&](auto& each) {
                return std::find(held.begin(), held.end(), each["id"]) != held.end();
            });
        });
    }

    /// The first run ends in a retry when it may, the second in success.
    auto handler()
    {
        return [this](int) -> asio::awaitable<outcome> {
            if (++runs > 1)
                co_return success();
            while (!ends)
                co_await may_end.wait();
            co_return retry("later", 0ms);
        };
    }

    /// What the first run tells is held back by the network, so the worker tells it once more, and the second run
    /// succeeds. Then the network delivers the first.
    asio::awaitable<void> retry_once(worker& subject)
    {
        background running{io.get_executor(), subject.async_run()};
        co_await events.wait_for(event_kind::started);
        const auto held = hold_connections();
        ends = true;
        may_end.notify();
        co_await events.wait_for(event_kind::succeeded);
        co_await release(held);
        subject.stop();
        co_await running.join();
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(an_outcome_that_was_told_twice_counts_once, late_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), watchful()};
        list_queue<int> numbers{redis, "numbers"};
        co_await numbers.async_push(1);
        worker subject{redis, {.observers = {events.observe()}}};
        subject.handle(numbers, handler());
        co_await retry_once(subject);
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.waiting + sizes.running + sizes.scheduled == 0u);
        BOOST_TEST(server("HGET", "hworker-counters-numbers", "retry").text == "1");
        BOOST_TEST(runs == 2u);
        co_await redis.async_stop();
        proxy.close();
    });
}

BOOST_FIXTURE_TEST_CASE(an_outcome_of_a_managed_job_that_was_told_twice_counts_once, late_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), watchful()};
        managed_queue numbers{redis, "numbers"};
        co_await numbers.async_push("number", 1);
        worker subject{redis, {.observers = {events.observe()}}};
        handlers_by_kind handlers;
        handlers.on<int>("number", handler());
        subject.handle(numbers, handlers);
        co_await retry_once(subject);
        BOOST_TEST(server("ZCARD", "ql:q:numbers-work").integer == 0);
        BOOST_TEST(server("ZCARD", "ql:q:numbers-locks").integer == 0);
        BOOST_TEST(runs == 2u);
        co_await redis.async_stop();
        proxy.close();
    });
}

BOOST_FIXTURE_TEST_CASE(a_push_that_was_given_up_is_not_carried_out_later, late_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), watchful()};
        list_queue<int> numbers{redis, "numbers"};
        co_await redis.async_connect();
        const auto held = hold_connections();
        BOOST_TEST(co_await error_of(numbers.async_push(1)) == errc::in_doubt);
        co_await numbers.async_push(2);
        co_await release(held);
        BOOST_TEST((co_await numbers.async_sizes()).waiting == 1u);
        co_await redis.async_stop();
        proxy.close();
    });
}

/// A connection that nobody needs is ended, but a push whose time was over may still be on its way.
BOOST_FIXTURE_TEST_CASE(a_push_that_was_given_up_before_the_client_rested_is_not_carried_out_later, late_test)
{
    auto how = watchful();
    how.health_check_interval = 0ms;
    how.command_timeout = 300ms;
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), how};
        list_queue<int> numbers{redis, "numbers"};
        co_await redis.async_connect();
        const auto before = proxy.visitors();
        const auto held = hold_connections();
        BOOST_TEST(co_await error_of(numbers.async_push(1)) == errc::timed_out);
        co_await let_pass(11s); // until it rests
        co_await numbers.async_push(2);
        BOOST_TEST(proxy.visitors() == before + 1);
        co_await release(held);
        BOOST_TEST((co_await numbers.async_sizes()).waiting == 1u);
        co_await redis.async_stop();
        proxy.close();
    });
}

BOOST_FIXTURE_TEST_CASE(where_connections_may_not_be_ended_that_is_told, late_test)
{
    server("ACL", "SETUSER", "ada", "on", ">secret", "~*", "&*", "+@all", "-client|kill");
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), watchful("ada")};
        list_queue<int> numbers{redis, "numbers"};
        co_await numbers.async_push(1);
        proxy.cut();
        const auto told = co_await events.wait_for(event_kind::warning);
        BOOST_TEST(told.message.find("CLIENT KILL is refused") != std::string::npos, told.message);
        co_await numbers.async_push(2);
        BOOST_TEST((co_await numbers.async_sizes()).waiting == 2u);
        co_await redis.async_stop();
        proxy.close();
    });
}

/// A server that was started anew may have given the number to somebody else's connection.
BOOST_FIXTURE_TEST_CASE(nobody_else_s_connection_is_ended, late_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), watchful()};
        list_queue<int> numbers{redis, "numbers"};
        co_await numbers.async_push(1);
        server.kill();
        co_await events.wait_for(event_kind::disconnected);
        server.restart();
        std::vector<raw_redis> others;
        for (int i = 0; i != 8; ++i) {
            others.emplace_back(server.socket_path());
            others.back()("PING");
        }
        co_await events.wait_for(event_kind::reconnected);
        co_await numbers.async_push(2);
        for (auto& each : others)
            BOOST_TEST(each("PING").text == "PONG");
        co_await redis.async_stop();
        proxy.close();
    });
}

BOOST_AUTO_TEST_SUITE_END()
