// SPDX-License-Identifier: MIT
#include "support/cluster_client_test.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

/// A node falls silent while a worker is asking it for jobs. No call ends before the node answers again.
BOOST_AUTO_TEST_SUITE(cluster_silent_node)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t concurrency = 2;

struct silent_node_test : cluster_client_test
{
    std::map<std::string, std::multiset<int>> done;
    std::set<std::string> held; ///< the queues whose handlers wait
    std::size_t running = 0, most_running = 0;

    silent_node_test()
    {
        how.command_timeout = 10min;
        how.health_check_interval = 10min;
    }

    worker_options two_places()
    {
        auto options = observed();
        options.concurrency = concurrency;
        return options;
    }

    template<class Queue>
    void handle(worker& subject, const Queue& queue, const std::string& name)
    {
        subject.handle(queue, [this, name](int number) -> asio::awaitable<void> {
            most_running = std::max(most_running, ++running);
            while (held.count(name) != 0)
                co_await let_pass(2ms);
            co_await let_pass(1ms);
            --running;
            done[name].insert(number);
        });
    }

    asio::awaitable<void> wait_for_starts(std::size_t count)
    {
        co_await events.wait_for(event_kind::started, count);
    }

    /// The worker asks the node for the next jobs when those that run have ended.
    asio::awaitable<void> freeze_while_asked(const std::string& name, redis_server& node)
    {
        node.freeze();
        const auto ended = events.count(event_kind::succeeded);
        held.erase(name);
        co_await wait_for_ends(ended + concurrency);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(keeps_no_places_from_queues_of_other_nodes, silent_node_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        worker subject{redis, two_places()};
        std::map<std::string, list_queue<int>> queues;
        for (const auto& tag : tags)
            handle(subject, queues.try_emplace(tag, redis, tagged(tag)).first->second, tag);
        held.insert(middle);
        for (int i = 0; i != 10; ++i)
            co_await queues.at(middle).async_push(i);
        background working{io.get_executor(), subject.async_run()};
        co_await wait_for_starts(concurrency);
        co_await freeze_while_asked(middle, home_of(middle));
        for (int i = 0; i != 50; ++i)
            for (const auto& tag : {low, high})
                co_await queues.at(tag).async_push(i);
        co_await wait_for_ends(concurrency + 100);
        BOOST_TEST(done[middle].size() == concurrency);
        // Jobs that come late find no place: they wait, or go back.
        held = {low, high};
        const auto started = events.count(event_kind::started);
        for (const auto& tag : {low, high})
            co_await queues.at(tag).async_push(50);
        co_await wait_for_starts(started + concurrency);
        const auto fetched = events.count(event_kind::fetched);
        home_of(middle).thaw();
        co_await events.wait_for(event_kind::fetched, fetched + 1);
        co_await let_pass(20ms);
        held.clear();
        co_await wait_for_ends(10 + 2 * 51);
        subject.stop();
        co_await working.join();
        BOOST_TEST(most_running == concurrency);
        BOOST_TEST(done[low].size() == 51u);
        BOOST_TEST(done[high].size() == 51u);
        BOOST_TEST(done[middle].size() == 10u);
        BOOST_TEST((std::set<int>{done[middle].begin(), done[middle].end()}.size() == 10u));
    });
}

BOOST_FIXTURE_TEST_CASE(keeps_no_places_from_partitions_at_other_nodes, silent_node_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        constexpr unsigned partitions = 12;
        constexpr int count = 1200;
        const list_queue<int> queue{redis, "numbers", {.partitions = partitions}};
        worker subject{redis, two_places()};
        handle(subject, queue, "numbers");
        std::vector<int> many(count);
        std::iota(many.begin(), many.end(), 0);
        co_await queue.async_push_many(many);
        const auto length = [&](unsigned partition) {
            const auto tag = "numbers:" + std::to_string(partition);
            return static_cast<std::size_t>(home_of(tag)("LLEN", key("jobs", tag)).integer);
        };
        background working{io.get_executor(), subject.async_run()};
        co_await eventually("the worker knows that there are jobs in each partition", [&] {
            bool all = true;
            for (unsigned i = 0; i != partitions; ++i)
                all = all && length(i) != count / partitions;
            return all;
        });
        held.insert("numbers");
        co_await events.wait_until("no place is left", [](const event_log& log) {
            return log.count(event_kind::started) == log.count(event_kind::succeeded) + concurrency;
        });
        auto& frozen = home_of("numbers:5");
        std::size_t left = 0;
        for (unsigned i = 0; i != partitions; ++i)
            left += &home_of("numbers:" + std::to_string(i)) == &frozen ? length(i) : 0;
        BOOST_TEST_REQUIRE(left != 0u);
        co_await freeze_while_asked("numbers", frozen);
        co_await wait_for_ends(count - left);
        frozen.thaw();
        co_await wait_for_ends(count);
        subject.stop();
        co_await working.join();
        BOOST_TEST(most_running <= concurrency);
        BOOST_TEST((std::set<int>{done["numbers"].begin(), done["numbers"].end()}.size() ==
                    static_cast<std::size_t>(count)));
    });
}

BOOST_FIXTURE_TEST_CASE(keeps_no_other_partition_waiting_when_the_worker_begins, silent_node_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        constexpr unsigned partitions = 12;
        constexpr int count = 240;
        const auto first_of = [](const std::string& name) { return name + ":0"; };
        std::string name = "numbers";
        while (&home_of(first_of(name)) ==
               &home_of("hworker-partitions-" + name)) // the number has to be known
            name += 's';
        const list_queue<int> queue{redis, name, {.partitions = partitions}};
        std::vector<int> many(count);
        std::iota(many.begin(), many.end(), 0);
        co_await queue.async_push_many(many);
        auto& frozen = home_of(first_of(name));
        std::size_t left = 0;
        for (unsigned i = 0; i != partitions; ++i) {
            const auto tag = name + ':' + std::to_string(i);
            auto& home = home_of(tag);
            left += &home == &frozen ? static_cast<std::size_t>(home("LLEN", key("jobs", tag)).integer) : 0;
        }
        frozen.freeze();
        worker subject{redis, observed()};
        handle(subject, queue, name);
        background working{io.get_executor(), subject.async_run()};
        co_await wait_for_ends(count - left);
        BOOST_TEST(done[name].size() == count - left);
        frozen.thaw();
        co_await wait_for_ends(count);
        subject.stop();
        co_await working.join();
    });
}

BOOST_AUTO_TEST_SUITE_END()
