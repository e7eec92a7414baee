// SPDX-License-Identifier: MIT
#include "job_account.hpp"
#include "support/append_only_file.hpp"
#include "support/cluster_client_test.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

/// Nodes join a cluster and leave it, and thousands of slots move, while one queue over all of them is pushed to and
/// worked off.
BOOST_AUTO_TEST_SUITE(cluster_reshard)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

struct reshard_test : cluster_client_test
{
    job_account book;
    int next = 0;
    bool enough = false;
    temporary_folder folder;

    reshard_test() { limit = 5 * patience; } // redis-cli moves a slot in several steps

    asio::awaitable<void> push_all_the_time(client& producer)
    {
        const list_queue<int> queue{producer, "numbers", {.partitions = 12}};
        while (!enough) {
            co_await book.push(queue, next++);
            co_await let_pass(2ms); // the nodes have thousands of slots to move meanwhile
        }
    }

    static std::string id_of(redis_server& node) { return node("CLUSTER", "MYID").text; }
    std::string first_node() { return "127.0.0.1:" + std::to_string(servers[0].tcp_port()); }

    /// As an operator does it. The words are lists outside of coroutines for g++ 12's sake.
    asio::awaitable<void> redis_cli(std::vector<std::string> words)
    {
        process cli{words, folder.file("redis-cli.log")};
        while (cli.is_running())
            co_await let_pass(10ms);
        BOOST_TEST_REQUIRE(cli.wait() == 0, read_file(folder.file("redis-cli.log")));
    }
    asio::awaitable<void> move_slots(redis_server& from, redis_server& to, int count)
    {
        return redis_cli({"redis-cli", "--cluster", "reshard", first_node(), "--cluster-from", id_of(from),
                          "--cluster-to", id_of(to), "--cluster-slots", std::to_string(count),
                          "--cluster-yes"});
    }
    asio::awaitable<void> remove(redis_server& node)
    {
        return redis_cli({"redis-cli", "--cluster", "del-node", first_node(), id_of(node)});
    }

    asio::awaitable<void> push_some_more()
    {
        const auto until = next + 100;
        co_await eventually("pushes go on", [&] { return next >= until; });
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(loses_nothing_when_a_node_joins_and_another_leaves, reshard_test)
{
    auto& fourth = servers.add_primary();
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        client producer{io.get_executor(), cluster_options()};
        const list_queue<int> queue{redis, "numbers", {.partitions = 12}};
        worker subject{redis, observed()};
        subject.handle(queue, [this](int number) { book.start(number); });
        background working{io.get_executor(), subject.async_run()};
        background pushing{io.get_executor(), push_all_the_time(producer)};
        co_await push_some_more();
        book.longest_pause = {}; // of the beginning
        co_await move_slots(servers[0], fourth, 1000);
        co_await push_some_more();
        constexpr int all_its_slots = 5461;
        co_await move_slots(servers[2], fourth, all_its_slots);
        co_await remove(servers[2]);
        co_await push_some_more();
        enough = true;
        co_await pushing.join();
        co_await eventually("all that was accepted has run", [&] { return book.missing().empty(); });
        subject.stop();
        co_await working.join();
        co_await producer.async_stop();
    });
    BOOST_TEST(book.unknown.empty());
    BOOST_TEST(book.ran_again() == 0);
    BOOST_TEST_MESSAGE(next << " jobs, the longest pause between two "
                            << std::chrono::duration<double>(book.longest_pause).count() << " s");
}

BOOST_AUTO_TEST_SUITE_END()
