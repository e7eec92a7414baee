// SPDX-License-Identifier: MIT
#include "support/cluster_client_test.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>

/// A primary of a cluster dies, and its replica takes over.
BOOST_AUTO_TEST_SUITE(cluster_failover)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

/// What became of the pushes of one queue.
struct account
{
    std::set<int> acknowledged;
    std::set<int> unknown; ///< or not carried out
    std::map<int, int> runs;

    /// Numbers of acknowledged jobs, from the first on, that have not run.
    std::vector<int> missing(int first = 0) const
    {
        std::vector<int> numbers;
        for (const int number : acknowledged)
            if (number >= first && !runs.contains(number))
                numbers.push_back(number);
        return numbers;
    }
};

asio::awaitable<void> push(list_queue<int> queue, int number, account& books)
{
    bool is_there = false;
    try {
        co_await queue.async_push(number);
        is_there = true;
    } catch (const system_error&) {
    }
    (is_there ? books.acknowledged : books.unknown).insert(number);
}

} // namespace

BOOST_FIXTURE_TEST_CASE(accounts_for_each_job_when_a_primary_is_killed, cluster_client_test)
{
    auto& replica = servers.add_replica_of(home_of(middle));
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        auto how_to_push = cluster_options();
        how_to_push.command_timeout = 1s;
        client producer{io.get_executor(), how_to_push};
        std::map<std::string, account> books;
        worker subject{redis, observed()};
        for (const auto& tag : tags) {
            list_queue<int> queue{redis, tagged(tag)};
            auto& book = books[tag];
            subject.handle(queue, [&book](int number) { ++book.runs[number]; });
        }
        background working{io.get_executor(), subject.async_run()};
        int next = 0;
        for (; next != 200; ++next)
            for (const auto& tag : tags)
                co_await push({producer, tagged(tag)}, next, books[tag]);
        BOOST_TEST(home_of(middle)("WAIT", 1, 10'000).integer == 1);
        const int replicated = next;

        home_of(middle).kill(); // under load
        const auto died = std::chrono::steady_clock::now();
        std::map<std::string, int> meanwhile;
        bool is_back = false;
        while (!is_back) {
            BOOST_REQUIRE((std::chrono::steady_clock::now() - died < 40s));
            for (const auto& tag : {low, high}) {
                const auto begun = std::chrono::steady_clock::now();
                co_await push({producer, tagged(tag)}, next, books[tag]);
                BOOST_TEST((std::chrono::steady_clock::now() - begun < 1s)); // these do not notice
                ++meanwhile[tag];
            }
            co_await push({producer, tagged(middle)}, next, books[middle]);
            is_back = books[middle].acknowledged.contains(next);
            ++next;
        }
        const int taken_over = next;
        for (; next != taken_over + 100; ++next)
            for (const auto& tag : tags)
                co_await push({producer, tagged(tag)}, next, books[tag]);
        for (const auto& tag : tags) {
            auto& book = books[tag];
            co_await eventually("all jobs of " + tag + " have run", [&] {
                return book.missing(taken_over).empty() && (tag == middle || book.missing().empty());
            });
        }
        for (const auto& tag : {low, high}) {
            BOOST_TEST(books[tag].unknown.empty());
            for (const auto& [number, runs] : books[tag].runs)
                BOOST_TEST(runs == 1);
        }
        // Whatever the replica had is there.
        for (const int number : books[middle].missing())
            BOOST_TEST(number >= replicated);
        BOOST_TEST(replica("ROLE").texts().front() == "master");
        BOOST_TEST(replica("HLEN", key("workers", middle)).integer == 1);
        co_await eventually("nothing is in progress",
                            [&] { return replica("HLEN", key("progress", middle)).integer == 0; });
        subject.stop();
        co_await working.join();
        co_await producer.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
