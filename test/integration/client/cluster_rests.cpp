// SPDX-License-Identifier: MIT
#include "support/client_list.hpp"
#include "support/cluster_client_test.hpp"
#include "support/expect.hpp"

#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <future>
#include <thread>

/// A client of a cluster that nobody needs does not keep its context running.
BOOST_AUTO_TEST_SUITE(cluster_rests)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

struct rests_test : cluster_client_test
{
    /// How many connections clients have, to all nodes.
    std::ptrdiff_t connections()
    {
        std::ptrdiff_t count = 0;
        for (std::size_t i = 0; i != servers.size(); ++i) {
            auto clients = client_list(servers[i]);
            count += std::count_if(clients.begin(), clients.end(),
                                   [](auto& each) { return each["name"].starts_with("coworker:"); });
        }
        return count;
    }

    /// Runs the context until nothing keeps it running.
    void run_out()
    {
        io.restart();
        io.run_for(patience);
        BOOST_TEST_REQUIRE(io.stopped(), "something keeps the context running");
    }

    void push_everywhere(client& redis)
    {
        std::vector<std::future<std::string>> pushed;
        for (const auto& tag : tags) {
            list_queue<int> numbers{redis, tagged(tag)};
            pushed.push_back(numbers.async_push(1, asio::use_future));
        }
        run_out();
        for (auto& each : pushed)
            BOOST_TEST(!each.get().empty());
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(main_ends_when_a_push_fails, rests_test)
{
    for (std::size_t i = 0; i != servers.size(); ++i)
        servers[i].kill();
    how.connect_timeout = how.command_timeout = 200ms;
    const auto push_in_main = [&] {
        asio::io_context context;
        client redis{context, cluster_options()};
        list_queue<int> numbers{redis, tagged(high)};
        auto pushed = numbers.async_push(1, asio::use_future);
        std::jthread thread{[&] { context.run(); }};
        pushed.get();
    };
    BOOST_TEST(error_in(push_in_main).code.has_value());
}

BOOST_FIXTURE_TEST_CASE(a_client_that_rests_leaves_all_nodes_and_comes_back, rests_test)
{
    client redis{io, cluster_options()};
    std::size_t told = 0;
    for (int i = 0; i != 2; ++i) {
        push_everywhere(redis);
        BOOST_TEST(connections() == 0);
        told = told == 0 ? events.all().size() : told;
        BOOST_TEST(events.all().size() == told, events.tell());
    }
    BOOST_TEST(told == events.count(event_kind::connected), events.tell());
    for (const auto& tag : tags) {
        BOOST_TEST(home_of(tag)("LLEN", key("jobs", tag)).integer == 2);
        BOOST_TEST(home_of(tag).raw().info("commandstats", "cmdstat_client|kill").empty());
    }
}

BOOST_FIXTURE_TEST_CASE(follows_what_has_moved_meanwhile, rests_test)
{
    client redis{io, cluster_options()};
    push_everywhere(redis);
    move(high, servers.first_owner(detail::slot_of(low)));
    push_everywhere(redis);
    BOOST_TEST(servers.first_owner(detail::slot_of(low))("LLEN", key("jobs", high)).integer == 2);
}

BOOST_FIXTURE_TEST_CASE(a_client_can_be_stopped_and_destroyed_while_it_rests, rests_test)
{
    client stopped{io, cluster_options()};
    auto gone = std::make_unique<client>(io, cluster_options());
    auto first = stopped.async_connect(asio::use_future);
    auto second = gone->async_connect(asio::use_future);
    run_out();
    first.get();
    second.get();
    list_queue<int> orphaned{*gone, tagged(low)}, numbers{stopped, tagged(low)};
    std::jthread{[&] { gone.reset(); }}.join();
    run_alone([&]() -> asio::awaitable<void> {
        co_await stopped.async_stop();
        BOOST_TEST(co_await error_of(orphaned.async_push(1)) == errc::stopped);
        BOOST_TEST(co_await error_of(numbers.async_push(1)) == errc::stopped);
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_keeps_the_connections, rests_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        list_queue<int> numbers{redis, tagged(low)};
        worker subject{redis};
        subject.handle(numbers, [](int) {}, {.monitor = false});
        background running{io.get_executor(), subject.async_run()};
        co_await let_pass(11s);
        auto clients = client_list(home_of(low));
        BOOST_TEST(std::any_of(clients.begin(), clients.end(),
                               [&](auto& each) { return each["name"] == redis.client_name(); }));
        BOOST_TEST(events.count(event_kind::disconnected) == 0u);
        subject.stop();
        co_await running.join();
    });
}

BOOST_AUTO_TEST_SUITE_END()
