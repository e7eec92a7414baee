// SPDX-License-Identifier: MIT
#include "support/client_list.hpp"
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(client_reconnect)

BOOST_FIXTURE_TEST_CASE(a_cut_connection_is_made_again, connection_test)
{
    run_with_client([&](client&, list_queue<int>& numbers) -> asio::awaitable<void> {
        for (unsigned round = 1; round <= 3; ++round) {
            co_await numbers.async_push(1);
            BOOST_TEST(cut_connections(server) == 1);
            co_await events.wait_for(event_kind::reconnected, round);
            BOOST_TEST(events.count(event_kind::disconnected) == round);
        }
        co_await numbers.async_push(1);
        BOOST_TEST((co_await numbers.async_sizes()).waiting == 4u);
        BOOST_TEST(events.count(event_kind::connected) == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_call_made_while_there_is_no_server_waits_for_it, connection_test)
{
    run_with_client([&](client&, list_queue<int>& numbers) -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        server.kill();
        co_await events.wait_for(event_kind::disconnected);

        std::string id;
        background push{io.get_executor(),
                        [](list_queue<int>& to, std::string& made) -> asio::awaitable<void> {
                            made = co_await to.async_push(2);
                        }(numbers, id)};
        co_await events.wait_for(event_kind::disconnected, 2);
        BOOST_TEST(!push.has_ended());
        server.restart();
        co_await push.join();
        BOOST_TEST(!id.empty());
        BOOST_TEST((co_await numbers.async_sizes()).waiting == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_call_fails_when_no_server_comes_in_time, connection_test)
{
    run_with(impatient(), [&](client& redis, list_queue<int>& numbers) -> asio::awaitable<void> {
        co_await redis.async_connect();
        server.kill();
        co_await events.wait_for(event_kind::disconnected);
        const auto error = co_await error_of(numbers.async_push(2));
        BOOST_TEST(error == errc::unavailable);
        BOOST_TEST(error.says(server.url()), error);
    });
}

BOOST_FIXTURE_TEST_CASE(a_call_fails_when_the_server_does_not_answer_in_time, connection_test)
{
    run_with_client(
        [&](client&, list_queue<int>& patient) -> asio::awaitable<void> { co_await patient.async_push(1); });
    run_with(impatient(), [&](client& redis, list_queue<int>& numbers) -> asio::awaitable<void> {
        co_await redis.async_connect();
        server.freeze();
        BOOST_TEST(co_await error_of(numbers.async_push(2)) == errc::timed_out);
        server.thaw();
        co_await eventually("it is carried out all the same",
                            [&] { return server("LLEN", "hworker-jobs-numbers").integer == 2; });
    });
}

BOOST_FIXTURE_TEST_CASE(a_call_that_was_not_answered_says_so, connection_test)
{
    run_with_client([&](client&, list_queue<int>& numbers) -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        server.freeze();
        thrown error;
        background push{io.get_executor(), [](list_queue<int>& to, thrown& told) -> asio::awaitable<void> {
                            told = co_await error_of(to.async_push(2));
                        }(numbers, error)};
        co_await let_pass(20ms); // until it has been written
        server.kill();
        co_await push.join();
        BOOST_TEST(error == errc::in_doubt);
        server.restart();
        co_await events.wait_for(event_kind::reconnected);
    });
}

BOOST_FIXTURE_TEST_CASE(a_server_that_falls_silent_counts_as_lost, connection_test)
{
    auto watchful = observed_options();
    watchful.health_check_interval = 100ms;
    run_with(watchful, [&](client& redis, list_queue<int>&) -> asio::awaitable<void> {
        co_await redis.async_connect();
        server.freeze();
        co_await events.wait_for(event_kind::disconnected);
        server.thaw();
        co_await events.wait_for(event_kind::reconnected);
    });
}

BOOST_FIXTURE_TEST_CASE(scripts_that_the_server_has_lost_are_given_to_it_again, connection_test)
{
    run_with(options(), [&](client&, list_queue<int>& numbers) -> asio::awaitable<void> {
        for (std::uint64_t i = 1; i <= 3; ++i) {
            co_await numbers.async_push(1, {.delay = 1h});
            server("SCRIPT", "FLUSH");
            BOOST_TEST((co_await numbers.async_sizes()).scheduled == i);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(many_calls_at_once_repair_lost_scripts, connection_test)
{
    run_with(options(), [&](client& redis, list_queue<int>& numbers) -> asio::awaitable<void> {
        co_await redis.async_connect();
        server("SCRIPT", "FLUSH");
        const auto push = [](list_queue<int>& to) -> asio::awaitable<void> {
            co_await to.async_push(1, {.delay = 1h});
        };
        std::vector<background> pushes;
        for (int i = 0; i != 50; ++i)
            pushes.emplace_back(io.get_executor(), push(numbers));
        for (auto& each : pushes)
            co_await each.join();
        BOOST_TEST((co_await numbers.async_sizes()).scheduled == 50u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
