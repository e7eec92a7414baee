// SPDX-License-Identifier: MIT
#include "support/client_list.hpp"
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include "coworker/managed_events.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// After a failover the socket may stay open, and what is behind it accept no writes any more.
BOOST_AUTO_TEST_SUITE(client_failover)

namespace {

void make_replica(redis_server& server)
{
    server("REPLICAOF", "127.0.0.1", 1); // of a primary that does not exist
}

void make_primary(redis_server& server)
{
    server("REPLICAOF", "NO", "ONE");
}

/// With pauses that grow to something that can be told from the first one.
client_options with_growing_pauses(client_options how)
{
    how.reconnect_delay_minimum = 1ms;
    how.reconnect_delay_maximum = 128ms;
    return how;
}

/// How long the attempts to connect lay apart in the end.
std::chrono::nanoseconds last_pause(const event_log& events)
{
    const auto lost = events.of(event_kind::disconnected);
    return lost.back().when - lost[lost.size() - 2].when;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_server_that_becomes_a_replica_is_left_until_it_is_a_primary, connection_test)
{
    run_with_client([&](client&, list_queue<int>& numbers) -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        make_replica(server);
        background push{io.get_executor(), [](list_queue<int>& to) -> asio::awaitable<void> {
                            co_await to.async_push(2);
                        }(numbers)};
        background later{io.get_executor(), [](list_queue<int>& to) -> asio::awaitable<void> { // a script
                             co_await to.async_push(3, {.delay = 1h});
                         }(numbers)};
        co_await events.wait_for(event_kind::disconnected, 2); // and so is the replica that is found then
        BOOST_TEST(events.count(event_kind::reconnected) == 0u);
        BOOST_TEST(!push.has_ended());
        make_primary(server);
        co_await push.join();
        co_await later.join();
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.waiting == 2u); // neither lost nor pushed twice
        BOOST_TEST(sizes.scheduled == 1u);
        BOOST_TEST(events.count(event_kind::warning) == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(the_new_primary_behind_the_same_address_is_found, connection_test)
{
    redis_server successor;
    const auto address = server.folder().file("current.sock");
    std::filesystem::create_symlink(server.socket_path(), address);
    auto by_name = observed_options();
    by_name.url = "unix://" + address;
    run_with(by_name, [&](client& redis, list_queue<int>& numbers) -> asio::awaitable<void> {
        co_await redis.async_connect();
        make_replica(server);
        std::filesystem::remove(address);
        std::filesystem::create_symlink(successor.socket_path(), address);
        co_await numbers.async_push(1);
        BOOST_TEST(successor("LLEN", "hworker-jobs-numbers").integer == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(a_reconnection_that_lands_on_a_replica_is_not_kept, connection_test)
{
    run_with(impatient(), [&](client& redis, list_queue<int>& numbers) -> asio::awaitable<void> {
        managed_events kept{redis}; // who listens needs the connection
        co_await kept.async_listen();
        make_replica(server);
        cut_connections(server);
        co_await events.wait_for(event_kind::disconnected, 3);
        BOOST_TEST(events.count(event_kind::reconnected) == 0u);
        const auto error = co_await error_of(numbers.async_push(1));
        BOOST_TEST(error == errc::read_only_server);
        BOOST_TEST(error.says(server.url()), error);
        make_primary(server);
        co_await events.wait_for(event_kind::reconnected);
        BOOST_TEST(server("LLEN", "hworker-jobs-numbers").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(a_server_that_stays_read_only_is_asked_less_and_less_often, connection_test)
{
    const auto how = with_growing_pauses(observed_options());
    run_with(how, [&](client& redis, list_queue<int>&) -> asio::awaitable<void> {
        managed_events kept{redis}; // who listens needs the connection
        co_await kept.async_listen();
        make_replica(server);
        cut_connections(server);
        co_await events.wait_for(event_kind::disconnected, 12);
        BOOST_TEST((last_pause(events) >= 64ms)); // half of the longest
    });
}

BOOST_FIXTURE_TEST_CASE(a_primary_that_has_lost_its_replicas_is_asked_less_and_less_often, connection_test)
{
    // There is nowhere else to go, so it stays connected and tries the push again and again.
    constexpr auto least = 319ms; // of eleven pauses: half of 1, 2, 4 and so on, and of 128 in the end
    const auto refusals = [&] {
        const auto told = server.raw().info("commandstats", "cmdstat_lpush");
        const std::string name = "rejected_calls=";
        const auto at = told.find(name);
        return at == told.npos ? 0 : std::stoi(told.substr(at + name.size()));
    };
    const auto how = with_growing_pauses(observed_options());
    run_with(how, [&](client& redis, list_queue<int>& numbers) -> asio::awaitable<void> {
        co_await redis.async_connect();
        server("CONFIG", "SET", "min-replicas-to-write", 1);
        const auto began = std::chrono::steady_clock::now();
        background push{io.get_executor(), [](list_queue<int>& to) -> asio::awaitable<void> {
                            co_await to.async_push(1);
                        }(numbers)};
        co_await eventually("it has been tried twelve times", [&] { return refusals() >= 12; });
        BOOST_TEST((std::chrono::steady_clock::now() - began >= least));
        BOOST_TEST(events.count(event_kind::disconnected) == 0u);
        BOOST_TEST(!push.has_ended());
        server("CONFIG", "SET", "min-replicas-to-write", 0);
        co_await push.join();
        BOOST_TEST((co_await numbers.async_sizes()).waiting == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(outcomes_are_kept_until_there_is_a_primary, client_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        int runs = 0;
        subject.handle(numbers, [&](int) {
            ++runs;
            if (runs == 1)
                make_replica(server);
        });
        co_await numbers.async_push(1);
        auto working = start(subject);
        co_await events.wait_for(event_kind::disconnected, 2);
        make_primary(server);
        co_await numbers.async_push(2);
        co_await events.wait_for(event_kind::succeeded, 2);
        co_await stop(subject, working);
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.total_succeeded == 2u);
        BOOST_TEST(sizes.running == 0u);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST(runs == 2);
    });
}

BOOST_AUTO_TEST_SUITE_END()
