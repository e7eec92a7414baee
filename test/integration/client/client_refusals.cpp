// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <thread>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(client_refusals)

namespace {

/// Connects; returns what went wrong.
thrown connect(asio::io_context& io, client_options options)
{
    thrown result;
    run_coroutine(io, [](asio::io_context& on, client_options how, thrown& told) -> asio::awaitable<void> {
        client redis{on.get_executor(), std::move(how)};
        told = co_await error_of(redis.async_connect());
        co_await redis.async_stop();
    }(io, std::move(options), result));
    return result;
}

/// Connects to where there is no server; returns what went wrong.
thrown connect_in_vain(const std::string& url)
{
    return error_found_by([&](std::chrono::milliseconds limit) {
        asio::io_context io{1};
        return connect(io, {.url = url, .connect_timeout = limit});
    });
}

/// A server with some configuration.
struct configured : redis_test
{
    explicit configured(std::vector<std::vector<std::string>> config)
        : redis_test{{.config = std::move(config)}}
    {}
};

} // namespace

BOOST_AUTO_TEST_CASE(a_missing_server_is_named)
{
    const auto error = connect_in_vain("unix:///nowhere/redis.sock");
    BOOST_TEST(error == errc::unavailable);
    BOOST_TEST(error.says("unix:///nowhere/redis.sock"), error);
    BOOST_TEST(error.says("No such file"), error);
}

BOOST_FIXTURE_TEST_CASE(a_closed_port_is_named, redis_test)
{
    // The port is free for certain while a socket is bound to it that does not listen.
    asio::ip::tcp::acceptor bound{io};
    bound.open(asio::ip::tcp::v4());
    bound.bind({asio::ip::make_address("127.0.0.1"), 0});
    const auto address = "127.0.0.1:" + std::to_string(bound.local_endpoint().port());
    const auto error = connect_in_vain("redis://" + address);
    BOOST_TEST(error == errc::unavailable);
    BOOST_TEST(error.says(address), error);
    BOOST_TEST(error.says("refused"), error);
}

BOOST_FIXTURE_TEST_CASE(what_ended_an_attempt_is_told_also_while_the_next_is_under_way, redis_test)
{
    asio::ip::tcp::acceptor acceptor{io, {asio::ip::make_address("127.0.0.1"), 0}};
    run([&]() -> asio::awaitable<void> {
        auto hasty = observed_options();
        hasty.url = "redis://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port());
        hasty.connect_timeout = 50ms;
        client redis{io.get_executor(), hasty};
        (void)co_await error_of(redis.async_connect()); // it goes on
        {
            auto closed = co_await acceptor.async_accept(asio::use_awaitable);
        }
        const auto lost = co_await events.wait_for(event_kind::disconnected);
        const auto silent = co_await acceptor.async_accept(asio::use_awaitable);
        const auto error = co_await error_of(redis.async_connect());
        BOOST_TEST(error == errc::unavailable);
        BOOST_TEST(error.says(lost.message), error);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_full_server_is_named_as_such, redis_test)
{
    server("CONFIG", "SET", "maxclients", 1); // the connection that says this
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), observed_options()};
        background connecting{io.get_executor(), [](client& subject) -> asio::awaitable<void> {
                                  co_await subject.async_connect();
                              }(redis)};
        const auto told = co_await events.wait_for(event_kind::disconnected);
        BOOST_TEST(told.message.find("max number of clients") != std::string::npos, told.message);
        server("CONFIG", "SET", "maxclients", 100);
        co_await connecting.join();
        co_await redis.async_stop();
    });
}

/// Without Sentinels there is nowhere else to go.
BOOST_FIXTURE_TEST_CASE(a_server_that_lacks_replicas_is_not_left, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), observed_options()};
        list_queue<int> numbers{redis, "numbers"};
        co_await redis.async_connect();
        const auto connections = server.raw().info("stats", "total_connections_received");
        const auto refusals = [&] {
            const auto all = server("INFO", "errorstats").text;
            const auto at = all.find("errorstat_NOREPLICAS:count=");
            return at == all.npos ? 0 : std::stoi(all.substr(all.find('=', at) + 1));
        };
        server("CONFIG", "SET", "min-replicas-to-write", 1);
        background push{io.get_executor(), [](list_queue<int>& to) -> asio::awaitable<void> {
                            co_await to.async_push(1);
                        }(numbers)};
        co_await eventually("the push has been tried several times", [&] { return refusals() >= 4; });
        BOOST_TEST(!push.has_ended());
        server("CONFIG", "SET", "min-replicas-to-write", 0);
        co_await push.join();
        BOOST_TEST((co_await numbers.async_sizes()).waiting == 1u);
        BOOST_TEST(server.raw().info("stats", "total_connections_received") == connections);
        BOOST_TEST(events.count(event_kind::disconnected) == 0u);
        BOOST_TEST(events.count(event_kind::warning) == 1u);
        co_await redis.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_server_that_comes_later_is_reached, redis_test)
{
    server.kill();
    run([&]() -> asio::awaitable<void> {
        auto hasty = observed_options();
        hasty.connect_timeout = 50ms;
        client redis{io.get_executor(), hasty};
        BOOST_TEST(co_await error_of(redis.async_connect()) == errc::unavailable);
        server.restart();
        co_await events.wait_for(event_kind::connected);
        co_await redis.async_connect();
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_CASE(a_wrong_password_is_told_at_once)
{
    configured test{{{"requirepass", "secret"}}};
    auto options = test.options();
    options.password = "hunter2";
    const auto error = connect(test.io, options);
    BOOST_TEST(error == errc::authentication_refused);
    BOOST_TEST(error.says("WRONGPASS"), error);
    BOOST_TEST(!error.says("hunter2"), error);
}

BOOST_AUTO_TEST_CASE(a_missing_password_is_told_at_once)
{
    configured test{{{"requirepass", "secret"}}};
    const auto error = connect(test.io, test.options());
    BOOST_TEST(error == errc::authentication_refused);
    BOOST_TEST(error.says("NOAUTH"), error);
}

BOOST_FIXTURE_TEST_CASE(an_unknown_user_is_told_at_once, redis_test)
{
    auto unknown = options();
    unknown.user = "nobody";
    unknown.password = "secret";
    BOOST_TEST(connect(io, unknown) == errc::authentication_refused);
}

BOOST_AUTO_TEST_CASE(a_server_that_evicts_jobs_is_refused)
{
    for (const char* policy : {"allkeys-lru", "allkeys-random", "allkeys-lfu"}) {
        configured test{{{"maxmemory-policy", policy}}};
        const auto error = connect(test.io, test.options());
        BOOST_TEST(error == errc::evicting_server);
        BOOST_TEST(error.says(policy), error);
        BOOST_TEST(error.says("noeviction"), error);
        auto accepting = test.options();
        accepting.accept_eviction = true;
        BOOST_TEST(!connect(test.io, accepting).code);
    }
}

BOOST_AUTO_TEST_CASE(a_server_that_evicts_only_what_expires_is_accepted)
{
    configured test{{{"maxmemory-policy", "volatile-lru"}}};
    BOOST_TEST(!connect(test.io, test.options()).code);
}

BOOST_AUTO_TEST_CASE(a_read_only_replica_is_refused)
{
    // Of a primary that does not exist: port 1 of the loopback device.
    configured test{{{"replicaof", "127.0.0.1", "1"}}};
    const auto error = connect(test.io, test.options());
    BOOST_TEST(error == errc::read_only_server);
    BOOST_TEST(error.says("primary"), error);
}

BOOST_AUTO_TEST_CASE(missing_permissions_for_the_set_up_are_named)
{
    configured test{{{"user", "ada", "on", ">secret", "~*", "&*", "+@all", "-subscribe"}}};
    auto options = test.options();
    options.user = "ada";
    options.password = "secret";
    const auto error = connect(test.io, options);
    BOOST_TEST(error == errc::setup_refused);
    BOOST_TEST(error.says("subscribe"), error);
}

BOOST_AUTO_TEST_CASE(a_missing_permission_to_load_scripts_is_named_with_the_first_that_is_used)
{
    configured test{{{"user", "ada", "on", ">secret", "~*", "&*", "+@all", "-script"}}};
    test.run([&]() -> asio::awaitable<void> {
        client redis{test.io.get_executor(), test.observed_options("ada")};
        list_queue<int> numbers{redis, "numbers"};
        co_await numbers.async_push(1); // uses none
        const auto error = co_await error_of(numbers.async_push(2, {.delay = 1h}));
        BOOST_TEST(error == errc::command_refused);
        BOOST_TEST(error.says("script"), error);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_CASE(a_user_is_not_taken_for_a_command_of_the_same_name)
{
    for (const std::string name : {"tracking-svc", "TRACKING", "AUTHOR", "LOADING"}) {
        configured test{{{"user", name, "on", ">secret", "~*", "&*", "+@all", "-subscribe"}}};
        auto options = test.observed_options();
        options.user = name;
        options.password = "secret";
        const auto error = connect(test.io, options);
        BOOST_TEST_CONTEXT(name)
        {
            BOOST_TEST(error == errc::setup_refused);
            BOOST_TEST(error.says("subscribe"), error);
            BOOST_TEST(test.events.count(event_kind::warning) ==
                       1u); // that, and not that tracking is refused
        }
    }
}

BOOST_AUTO_TEST_CASE(a_server_that_is_busy_with_a_script_is_waited_for)
{
    configured test{{{"busy-reply-threshold", "1"}}};
    test.run([&]() -> asio::awaitable<void> {
        std::jthread endless{[path = test.server.socket_path()] {
            raw_redis{path}.try_command({"EVAL", "while true do end", "0"});
        }};
        co_await eventually("Redis says that it is busy",
                            [&] { return test.server.raw().try_command({"PING"}).text.starts_with("BUSY"); });
        auto patient = test.observed_options();
        patient.connect_timeout = std::chrono::minutes{1};
        client redis{test.io.get_executor(), patient};
        background connecting{test.io.get_executor(), redis.async_connect(asio::use_awaitable)};
        co_await test.events.wait_for(event_kind::disconnected, 2);
        BOOST_TEST(test.events.count(event_kind::warning) == 0u);
        test.server("SCRIPT", "KILL");
        co_await connecting.join();
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_tell_its_settings_is_used_with_a_warning)
{
    configured test{{{"user", "ada", "on", ">secret", "~*", "&*", "+@all", "-info"}}};
    auto options = test.observed_options();
    options.user = "ada";
    options.password = "secret";
    BOOST_TEST(!connect(test.io, options).code);
    BOOST_TEST(test.events.count(event_kind::warning) == 1u);
}

BOOST_AUTO_TEST_CASE(a_server_too_old_for_resp3_is_named)
{
    asio::io_context io{1};
    asio::ip::tcp::acceptor acceptor{io, {asio::ip::make_address("127.0.0.1"), 0}};
    const auto url = "redis://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port());
    // A Redis 5 knows no HELLO and no TRACKING.
    background old_server{io.get_executor(), [](asio::ip::tcp::acceptor& from) -> asio::awaitable<void> {
                              for (int connection = 0; connection != 2; ++connection) { // the second asks why
                                  auto client = co_await from.async_accept(asio::use_awaitable);
                                  std::string received;
                                  co_await asio::async_read_until(client, asio::dynamic_buffer(received),
                                                                  "HELLO", asio::use_awaitable);
                                  std::string answers;
                                  for (int i = 0; i != 64; ++i)
                                      answers += "-ERR unknown command 'HELLO'\r\n";
                                  co_await asio::async_write(client, asio::buffer(answers),
                                                             asio::use_awaitable);
                              }
                          }(acceptor)};
    BOOST_TEST(connect(io, {.url = url}) == errc::server_too_old);
}

BOOST_FIXTURE_TEST_CASE(an_error_is_told_to_every_later_call, redis_test)
{
    auto unknown = options();
    unknown.user = "nobody";
    unknown.password = "secret";
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), unknown};
        list_queue<int> numbers{redis, "numbers"};
        BOOST_TEST(co_await error_of(numbers.async_push(1)) == errc::authentication_refused);
        BOOST_TEST(co_await error_of(numbers.async_sizes()) == errc::authentication_refused);
        BOOST_TEST(co_await error_of(redis.async_connect()) == errc::authentication_refused);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
