// SPDX-License-Identifier: MIT
#include "support/client_list.hpp"
#include "support/client_test.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(one_connection)

namespace {

struct connection_test : client_test
{
    /// The only client that there is, by its number; fails the test if there are others, or none.
    std::string only_client()
    {
        const auto clients = client_list(server);
        BOOST_REQUIRE_EQUAL(clients.size(), 1u);
        BOOST_TEST(clients.front().at("name") == redis.client_name());
        return clients.front().at("id");
    }

    /// Connections that the server has ever accepted, the test's own included.
    std::uint64_t connections_ever()
    {
        return std::stoull(server.raw().info("stats", "total_connections_received"));
    }

    /// A lease that ended long ago, of a peer.
    void leave_behind(const std::string& payload)
    {
        server("HSET", "hworker-progress-numbers", payload, R"("2020-01-01T00:00:00Z")");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_loaded_worker_is_one_client, connection_test)
{
    run([&]() -> asio::awaitable<void> {
        leave_behind(R"(["left behind",-1])");
        std::vector<int> jobs(300);
        for (std::size_t i = 0; i != jobs.size(); ++i)
            jobs[i] = static_cast<int>(i);
        co_await numbers.async_push_many(jobs);
        const auto id = only_client();
        const auto before = connections_ever();

        worker subject{redis, observed({.concurrency = 20})};
        // One runs until its lease has been renewed, some fail or come again, and some push more.
        subject.handle(numbers,
                       [&](int n, job_context& context) -> asio::awaitable<outcome> {
                           if (n == 0)
                               co_await events.wait_for(event_kind::leases_renewed);
                           if (n % 7 == 0 && context.attempt() == 1)
                               co_return retry("once more", 10ms);
                           if (n % 11 == 0)
                               co_return failure("a multiple of eleven");
                           if (n % 30 == 1)
                               co_await numbers.async_push(1'000'003);
                           co_return success();
                       },
                       {.lease = 6s});
        auto running = start(subject);
        for (std::size_t ended = 50; ended <= 300; ended += 50) {
            co_await events.wait_until("some jobs have ended", [=](const event_log& log) {
                return log.count(event_kind::succeeded) + log.count(event_kind::failed) >= ended;
            });
            BOOST_TEST(only_client() == id);
        }
        // 300 pushed, one left behind, nine pushed by handlers (121 fails before).
        co_await events.wait_until("all jobs have ended", [](const event_log& log) {
            return log.count(event_kind::succeeded) + log.count(event_kind::failed) == 310;
        });
        BOOST_TEST(events.total(event_kind::recovered) == 1u);
        BOOST_TEST(events.total(event_kind::leases_renewed) > 0u);
        BOOST_TEST(events.count(event_kind::retried) > 0u);

        // And while it waits.
        co_await wait_until_armed(5, 1);
        BOOST_TEST(only_client() == id);
        BOOST_TEST(connections_ever() == before);
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(workers_of_one_session_share_its_connection, connection_test)
{
    list_queue<int> others{redis, "others"};
    run([&]() -> asio::awaitable<void> {
        worker first{redis, observed()}, second{redis, observed()};
        first.handle(numbers, [](int) {});
        second.handle(others, [](int) {});
        auto first_run = start(first);
        auto second_run = start(second);
        co_await numbers.async_push(1);
        co_await others.async_push(2);
        co_await events.wait_for(event_kind::succeeded, 2);
        only_client();
        co_await stop(first, first_run);
        co_await stop(second, second_run);
        only_client();
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_lost_its_connection_makes_one_in_its_place, connection_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {});
        auto running = start(subject);
        co_await wait_until_armed(5, 1);
        auto id = only_client();
        for (unsigned round = 1; round <= 3; ++round) {
            cut_connections(server);
            co_await events.wait_for(event_kind::reconnected, round);
            const auto next = only_client();
            BOOST_TEST(next != id);
            id = next;
        }
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(the_connection_ends_with_its_session, connection_test)
{
    redis_test::run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {});
        auto running = start(subject);
        co_await wait_until_armed(5, 1);
        co_await stop(subject, running);
        only_client(); // the worker has ended, its client has not
        co_await redis.async_stop();
        co_await eventually("the connection is closed", [&] { return client_list(server).empty(); });
    });
}

BOOST_AUTO_TEST_SUITE_END()
