// SPDX-License-Identifier: MIT
#include "support/client_list.hpp"
#include "support/expect.hpp"
#include "support/redis_test.hpp"

#include "coworker/list_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace coworker;
using namespace coworker::test;

BOOST_AUTO_TEST_SUITE(client_urls)

namespace {

/// Pushes a job through a client of its own.
asio::awaitable<void> push_with(client_options options)
{
    client redis{co_await asio::this_coro::executor, std::move(options)};
    list_queue<int> numbers{redis, "numbers"};
    co_await numbers.async_push(1);
    co_await redis.async_stop();
}

struct tcp_test : redis_test
{
    tcp_test() : redis_test{{.tcp = true}} {}
};

struct locked_test : redis_test
{
    locked_test()
        : redis_test{{.tcp = true,
                      .config = {{"requirepass", "s3cret/@:%"},
                                 {"user", "ada", "on", ">pass word", "~*", "&*", "+@all"}}}}
    {
        server("AUTH", "s3cret/@:%");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_unix_socket_is_reached, redis_test)
{
    run([&] { return push_with(options()); });
    BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 1);
}

BOOST_FIXTURE_TEST_CASE(a_tcp_port_is_reached, tcp_test)
{
    run([&] { return push_with({.url = server.tcp_url()}); });
    run([&] { return push_with({.url = "redis://localhost:" + std::to_string(server.tcp_port()) + "/"}); });
    BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 2);
}

BOOST_FIXTURE_TEST_CASE(the_password_stands_in_the_url, locked_test)
{
    const std::string rest = "127.0.0.1:" + std::to_string(server.tcp_port());
    run([&] { return push_with({.url = "redis://:s3cret%2F%40%3A%25@" + rest}); });
    run([&] { return push_with({.url = "redis://default:s3cret%2F%40%3A%25@" + rest}); });
    run([&] { return push_with({.url = "unix://:s3cret%2F%40%3A%25@" + server.socket_path()}); });
    BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 3);
}

BOOST_FIXTURE_TEST_CASE(a_user_and_password_stand_in_the_url, locked_test)
{
    run([&] { return push_with({.url = "unix://ada:pass%20word@" + server.socket_path()}); });
    BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 1);
}

BOOST_FIXTURE_TEST_CASE(options_override_the_credentials_in_the_url, locked_test)
{
    run([&] {
        return push_with(
            {.url = "unix://bob:wrong@" + server.socket_path(), .user = "ada", .password = "pass word"});
    });
    run([&] { return push_with({.url = server.url(), .password = "s3cret/@:%"}); });
    BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 2);
}

BOOST_FIXTURE_TEST_CASE(the_database_stands_in_the_url, tcp_test)
{
    run([&] { return push_with({.url = server.tcp_url() + "/3"}); });
    run([&] { return push_with({.url = server.url() + "?db=3"}); });
    BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 0);
    server("SELECT", 3);
    BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 2);
}

BOOST_FIXTURE_TEST_CASE(the_connection_has_a_name_of_its_own, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        auto mailer = options();
        mailer.client_name = "mailer";
        client first{io.get_executor(), mailer};
        client second{io.get_executor(), mailer};
        client third{io.get_executor(), options()};
        co_await first.async_connect();
        co_await second.async_connect();
        co_await third.async_connect();
        BOOST_TEST(first.client_name().starts_with("mailer:"));
        BOOST_TEST(third.client_name().starts_with("coworker:"));

        std::set<std::string> seen;
        for (const auto& client : client_list(server))
            seen.insert(client.at("name"));
        const std::set<std::string> expected{first.client_name(), second.client_name(), third.client_name()};
        BOOST_TEST(seen == expected, boost::test_tools::per_element());
        BOOST_TEST(seen.size() == 3u);
        co_await first.async_stop();
        co_await second.async_stop();
        co_await third.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(the_name_returns_with_a_new_connection, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), observed_options()};
        co_await redis.async_connect();
        cut_connections(server);
        co_await events.wait_for(event_kind::reconnected);
        const auto clients = client_list(server);
        BOOST_REQUIRE(clients.size() == 1u);
        BOOST_TEST(clients.front().at("name") == redis.client_name());
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
