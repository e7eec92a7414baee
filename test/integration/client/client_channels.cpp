// SPDX-License-Identifier: MIT
#include "support/redis_test.hpp"

#include "coworker/managed_events.hpp"
#include "redis/connection/connection.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/redis/request.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;

BOOST_AUTO_TEST_SUITE(client_channels)

namespace {

/// Hears two channels, and counts the connections made anew.
struct listening_test : redis_test
{
    client redis{io.get_executor(), observed_options()};
    std::vector<std::string> heard;
    int new_connections = 0;
    detail::channel_watch watch{detail::connection_of(redis).channels(),
                                {"news", "weather"},
                                [this](std::string_view channel, std::string_view message) {
                                    heard.push_back(std::string{channel} + ": " + std::string{message});
                                },
                                [this] { ++new_connections; }};

    asio::awaitable<void> wait_until_heard(std::size_t count)
    {
        co_await eventually(std::to_string(count) + " messages",
                            [this, count] { return heard.size() >= count; });
    }

    std::int64_t listeners(const char* channel)
    {
        return server("PUBSUB", "NUMSUB", channel).elements[1].integer;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(messages_arrive_in_order_until_the_watch_is_withdrawn, listening_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await detail::connection_of(redis).listen(watch);
        server("PUBLISH", "news", "one");
        server("PUBLISH", "weather", "rain");
        server("PUBLISH", "sports", "0:0");
        server("PUBLISH", "news", "two");
        co_await wait_until_heard(3);
        BOOST_TEST(heard == (std::vector<std::string>{"news: one", "weather: rain", "news: two"}));
        BOOST_TEST(new_connections == 0);

        co_await detail::connection_of(redis).unlisten(watch);
        BOOST_TEST(listeners("news") == 0);
        BOOST_TEST(listeners("weather") == 0);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_channel_is_left_only_when_nobody_listens_any_more, listening_test)
{
    run([&]() -> asio::awaitable<void> {
        detail::channel_watch other{
            detail::connection_of(redis).channels(), {"news"}, [](std::string_view, std::string_view) {}};
        co_await detail::connection_of(redis).listen(watch);
        co_await detail::connection_of(redis).listen(other);
        co_await detail::connection_of(redis).unlisten(watch);
        BOOST_TEST(listeners("news") == 1);
        BOOST_TEST(listeners("weather") == 0);
        co_await detail::connection_of(redis).unlisten(other);
        BOOST_TEST(listeners("news") == 0);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_new_connection_listens_again_and_says_so, listening_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await detail::connection_of(redis).listen(watch);
        server("CLIENT", "KILL", "TYPE", "pubsub");
        co_await events.wait_for(event_kind::reconnected);
        BOOST_TEST(new_connections == 1);
        server("PUBLISH", "news", "again");
        co_await wait_until_heard(1);
        BOOST_TEST(heard.front() == "news: again");
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_CASE(without_permission_listening_is_refused_and_the_connection_goes_on)
{
    redis_test test{
        {.config = {{"user", "ada", "on", ">secret", "~*", "resetchannels", "&coworker:*", "+@all"}}}};
    test.run([&]() -> asio::awaitable<void> {
        auto options = test.observed_options();
        options.user = "ada";
        options.password = "secret";
        client redis{test.io.get_executor(), options};
        detail::channel_watch watch{
            detail::connection_of(redis).channels(), {"news"}, [](std::string_view, std::string_view) {}};
        std::string refusal;
        try {
            co_await detail::connection_of(redis).listen(watch);
        } catch (const system_error& error) {
            BOOST_TEST((error.code() == errc::command_refused));
            refusal = error.what();
        }
        BOOST_TEST(refusal.find("may not SUBSCRIBE to news") != refusal.npos);
        boost::redis::request ping;
        ping.push("PING", "still here");
        detail::reply answers;
        co_await detail::connection_of(redis).exec(ping, answers);
        BOOST_TEST(answers[0].text() == "still here");
        BOOST_TEST(test.events.count(event_kind::disconnected) == 0u);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_listen_that_is_cancelled_leaves_no_subscription_behind, listening_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        background listening{io.get_executor(), detail::connection_of(redis).listen(watch)};
        while (detail::connection_of(redis).channels()->channels().empty())
            co_await asio::post(io, asio::use_awaitable);
        server.freeze(); // before it can have carried out the SUBSCRIBE that comes now
        co_await let_pass(std::chrono::milliseconds{20}); // until it has been written
        listening.cancel();
        server.thaw();
        (void)co_await listening.join_and_tell();
        boost::redis::request ping;
        ping.push("PING");
        detail::reply answers;
        co_await detail::connection_of(redis).exec(ping,
                                                   answers); // everything before it has been carried out
        BOOST_TEST(listeners("news") == 0);
        BOOST_TEST(listeners("weather") == 0);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(events_that_are_destroyed_leave_no_subscription_behind, listening_test)
{
    run([&]() -> asio::awaitable<void> {
        {
            managed_events stream{redis};
            co_await stream.async_listen();
            BOOST_TEST(listeners("ql:log") == 1);
        }
        co_await eventually("nobody listens", [&] { return listeners("ql:log") == 0; });
        auto stream = std::make_unique<managed_events>(redis);
        background waiting{io.get_executor(), [](managed_events& from) -> asio::awaitable<void> {
                               (void)co_await from.async_next();
                           }(*stream)};
        co_await eventually("it listens", [&] { return listeners("ql:log") == 1; });
        stream.reset(); // while a call waits
        BOOST_TEST((co_await waiting.join_and_tell()).find("stopped") != std::string::npos);
        co_await eventually("nobody listens", [&] { return listeners("ql:log") == 0; });
        BOOST_TEST(events.count(event_kind::disconnected) == 0u);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
