// SPDX-License-Identifier: MIT
#include "support/cluster_client_test.hpp"
#include "support/expect.hpp"

#include "coworker/inspector.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What an inspector shows while a node of the cluster is away that has no replica. The names of queues are at the
/// middle node, the number of partitions of `mails` is at the high one.
BOOST_AUTO_TEST_SUITE(missing_nodes)

namespace {

const auto mails = queue_ref::list("mails");

struct missing_nodes_test : cluster_client_test
{
    missing_nodes_test()
    {
        how.command_timeout = std::chrono::hours{1}; // who waits for a node that is away waits in vain
        how.url = "redis+cluster://127.0.0.1:" + address_of(servers[0]).port +
                  ",127.0.0.1:" + address_of(servers[1]).port + ",127.0.0.1:" + address_of(servers[2]).port;
        for (const auto& tag : tags)
            home_of(tag)("LPUSH", key("jobs", tag), R"(["1",1])", R"(["2",1])");
        home_of("mails:3")("LPUSH", "hworker-jobs-{mails:3}", R"(["3",1])"); // at the low node
        home_of("mails:0")("LPUSH", "hworker-jobs-{mails:0}", R"(["0",1])"); // at the high one
        home_of("hworker-partitions-mails")("SET", "hworker-partitions-mails", "4");
        home_of("hworker-queues")("SADD", "hworker-queues", "{bar}", "{zzz}", "{foo}", "mails");
    }

    template<class Test>
    void run_with_client(Test test)
    {
        run_alone([&]() -> asio::awaitable<void> {
            client redis{io.get_executor(), how};
            co_await test(redis);
            co_await redis.async_stop();
        });
    }

    std::vector<std::string> name_of(const std::string& tag)
    {
        const auto where = address_of(home_of(tag));
        return {where.host + ':' + where.port};
    }

    static std::map<std::string, queue_info> by_name(const std::vector<queue_info>& queues)
    {
        std::map<std::string, queue_info> all;
        for (const auto& queue : queues)
            BOOST_TEST(all.emplace(queue.queue.name(), queue).second);
        return all;
    }

    /// Asks again while more nodes seem to be away than are: on a busy machine, others may answer too late.
    static asio::awaitable<queue_page> show(const inspector& look, std::size_t away = 1)
    {
        for (;;) {
            auto page = co_await look.async_queues(queue_kind::list);
            if (page.missing_nodes.size() <= away)
                co_return page;
        }
    }

    /// That of the queues all is shown but what the low node has.
    asio::awaitable<void> expect_without_low(const inspector& look)
    {
        const auto page = co_await show(look);
        BOOST_TEST(page.missing_nodes == name_of(low), boost::test_tools::per_element());
        const auto all = by_name(page.queues);
        BOOST_TEST_REQUIRE(all.size() == 4u);
        BOOST_TEST(all.at("{zzz}").waiting == 2u);
        BOOST_TEST(all.at("{foo}").waiting == 2u);
        BOOST_TEST(all.at("{foo}").unreachable == 0u);
        const auto& away = all.at("{bar}");
        BOOST_TEST(away.is_missing());
        BOOST_TEST((away.unreachable == 1u && away.waiting == 0u && !away.failed && !away.workers));
        const auto& divided = all.at("mails");
        BOOST_TEST(divided.partitions == 4u);
        BOOST_TEST(divided.unreachable == 1u);
        BOOST_TEST(!divided.is_missing());
        BOOST_TEST(divided.waiting == 1u);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(are_named_while_the_queues_of_others_are_shown, missing_nodes_test)
{
    home_of(low).kill();
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const inspector look{redis};
        co_await expect_without_low(look);
        const auto found = co_await look.async_discover();
        BOOST_TEST(found.missing_nodes == name_of(low), boost::test_tools::per_element());
        const std::vector<std::string> names{"mails", "{foo}", "{zzz}"};
        BOOST_TEST(found.names == names, boost::test_tools::per_element());
        const auto parts = co_await look.async_partitions(mails);
        BOOST_TEST_REQUIRE(parts.size() == 4u);
        BOOST_TEST((parts[0].waiting == 1u && parts[3].is_missing()));
        const std::vector<queue_ref> wanted{queue_ref::list("{bar}"), queue_ref::list("{foo}")};
        const auto named = co_await look.async_queues(wanted);
        BOOST_TEST((named[0].is_missing() && named[1].waiting == 2u));
        BOOST_TEST((co_await look.async_queue(mails)).value().unreachable == 1u);
        BOOST_TEST(co_await error_of(look.async_queue(queue_ref::list("{bar}"))) == errc::unavailable);
    });
}

BOOST_FIXTURE_TEST_CASE(are_given_up_that_do_not_answer_and_shown_when_they_do, missing_nodes_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const inspector look{redis};
        const auto before = co_await show(look, 0); // all are connected to
        BOOST_TEST(before.missing_nodes.empty());
        BOOST_TEST(by_name(before.queues).at("mails").waiting == 2u);
        home_of(low).freeze();
        co_await expect_without_low(look);
        (void)co_await look.async_server_time();
        home_of(low).thaw();
        for (;;) {
            const auto page = co_await show(look);
            if (!page.missing_nodes.empty())
                continue;
            BOOST_TEST(by_name(page.queues).at("{bar}").waiting == 2u);
            BOOST_TEST(by_name(page.queues).at("mails").unreachable == 0u);
            break;
        }
    });
}

BOOST_FIXTURE_TEST_CASE(do_not_hide_queues_if_one_of_them_has_their_names, missing_nodes_test)
{
    home_of("hworker-queues").kill();
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const inspector look{redis};
        const auto page = co_await show(look);
        BOOST_TEST(page.missing_nodes == name_of(middle), boost::test_tools::per_element());
        const auto all = by_name(page.queues);
        BOOST_TEST_REQUIRE(all.size() == 3u);
        BOOST_TEST(all.at("{bar}").waiting == 2u);
        BOOST_TEST(all.at("{foo}").waiting == 2u);
        BOOST_TEST(all.at("mails").waiting == 2u);
        BOOST_TEST(all.at("mails").unreachable == 2u); // of four
        (void)co_await look.async_workers();
    });
}

BOOST_FIXTURE_TEST_CASE(with_a_number_of_partitions_leave_the_last_that_was_seen, missing_nodes_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const inspector look{redis}, fresh{redis};
        (void)co_await show(look);
        home_of(high).kill();
        const auto page = co_await show(look);
        BOOST_TEST(page.missing_nodes == name_of(high), boost::test_tools::per_element());
        const auto seen = by_name(page.queues).at("mails");
        BOOST_TEST((seen.partitions == 4u && seen.unreachable == 1u && seen.waiting == 1u));
        // Who has never seen it knows nothing of the whole; what is there is shown all the same.
        const auto unseen = by_name((co_await show(fresh)).queues);
        BOOST_TEST(unseen.at("mails").is_missing());
        BOOST_TEST(unseen.at("mails").partitions == 0u);
        BOOST_TEST(unseen.at("{mails:3}").waiting == 1u);
        BOOST_TEST(co_await error_of(fresh.async_partitions(mails)) == errc::unavailable);
    });
}

BOOST_FIXTURE_TEST_CASE(do_not_hide_workers_of_others, missing_nodes_test)
{
    for (const auto& tag : tags)
        home_of(tag)("HSET", key("progress", tag), R"(["r",1])",
                     R"("2026-11-21T09:54:29.612715000000Z" )" + tag);
    home_of("mails:0")("HSET", "hworker-workers-{foo}", 7, connect_worker_at(high));
    home_of(low).freeze();
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const inspector look{redis};
        const auto found = co_await look.async_workers();
        BOOST_TEST(found.missing_nodes == name_of(low), boost::test_tools::per_element());
        std::uint64_t running = 0;
        std::size_t connected = 0;
        for (const auto& worker : found.workers) {
            connected += worker.connected ? 1 : 0;
            for (const auto& load : worker.loads)
                running += load.running;
        }
        BOOST_TEST(running == 2u);
        BOOST_TEST(connected == 1u);
        home_of(low).thaw();
    });
}

BOOST_FIXTURE_TEST_CASE(with_the_managed_queues_are_named, missing_nodes_test)
{
    home_of(low)("ZADD", "{bar}ql:queues", 1, "mail");
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        inspector_options options;
        options.managed_prefix = "{bar}ql:";
        const inspector look{redis, options};
        const auto before = co_await look.async_queues(queue_kind::managed);
        BOOST_TEST((before.queues.size() == 1u && before.missing_nodes.empty()));
        home_of(low).freeze();
        const auto page = co_await look.async_queues(queue_kind::managed);
        BOOST_TEST(page.queues.empty());
        BOOST_TEST(page.missing_nodes == name_of(low), boost::test_tools::per_element());
        const std::vector<queue_ref> wanted{queue_ref::managed("mail"), queue_ref::list("{foo}")};
        const auto named = co_await look.async_queues(wanted);
        BOOST_TEST((named[0].is_missing() && named[1].waiting == 2u));
        const auto workers = co_await look.async_workers();
        BOOST_TEST(workers.missing_nodes == name_of(low), boost::test_tools::per_element());
        BOOST_TEST(co_await error_of(look.async_queue(queue_ref::managed("mail"))) == errc::unavailable);
        home_of(low).thaw();
    });
}

BOOST_FIXTURE_TEST_CASE(are_an_error_if_they_are_all_there_are, missing_nodes_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const inspector look{redis};
        (void)co_await show(look);
        for (const auto& tag : tags)
            home_of(tag).kill();
        BOOST_TEST(co_await error_of(look.async_queues(queue_kind::list)) == errc::unavailable);
        BOOST_TEST(co_await error_of(look.async_workers()) == errc::unavailable);
        BOOST_TEST(co_await error_of(look.async_discover()) == errc::unavailable);
    });
}

BOOST_AUTO_TEST_SUITE_END()
