// SPDX-License-Identifier: MIT
#include "support/cluster_client_test.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numeric>
#include <set>

/// One queue over several nodes.
BOOST_AUTO_TEST_SUITE(cluster_partitions)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

constexpr unsigned partitions = 12;

struct partitions_test : cluster_client_test
{
    list_queue_options divided{.partitions = partitions};

    static std::string tag_of(unsigned partition) { return "numbers:" + std::to_string(partition); }

    std::vector<std::int64_t> lengths()
    {
        std::vector<std::int64_t> all;
        for (unsigned i = 0; i != partitions; ++i)
            all.push_back(home_of(tag_of(i))("LLEN", key("jobs", tag_of(i))).integer);
        return all;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(get_the_same_number_of_jobs, partitions_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided};
        for (int i = 0; i != 240; ++i)
            co_await queue.async_push(i);
        BOOST_TEST(lengths() == std::vector<std::int64_t>(partitions, 20), boost::test_tools::per_element());
        std::vector<int> many(2400);
        std::iota(many.begin(), many.end(), 0);
        co_await queue.async_push_many(many);
        BOOST_TEST(lengths() == std::vector<std::int64_t>(partitions, 220), boost::test_tools::per_element());
        BOOST_TEST((co_await queue.async_sizes()).waiting == 2640u);
        std::set<redis_server*> nodes;
        for (unsigned i = 0; i != partitions; ++i)
            nodes.insert(&home_of(tag_of(i)));
        BOOST_TEST(nodes.size() == 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(are_one_queue_for_a_worker, partitions_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided};
        std::set<int> done;
        worker subject{redis, observed()};
        subject.handle(queue, [&](int number) { done.insert(number); });
        background working{io.get_executor(), subject.async_run()};
        client producer{io.get_executor(), cluster_options()};
        const list_queue<int> same{producer, "numbers", divided};
        std::vector<int> many(1200);
        std::iota(many.begin(), many.end(), 0);
        co_await same.async_push_many(many);
        co_await wait_for_ends(1200);
        // One that waits is woken by all nodes.
        for (int i = 1200; i != 1224; ++i) {
            co_await same.async_push(i);
            co_await wait_for_ends(static_cast<std::size_t>(i) + 1);
        }
        BOOST_TEST(done.size() == 1224u);
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        subject.stop();
        co_await working.join();
        co_await producer.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
