// SPDX-License-Identifier: MIT
#include "redis/script.hpp"
#include "support/cluster_client_test.hpp"
#include "support/expect.hpp"

#include "coworker/managed_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

/// What replicas of a cluster's nodes confirm.
BOOST_AUTO_TEST_SUITE(cluster_confirmed)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

/// Each node has a replica.
struct confirmed_test : cluster_client_test
{
    std::map<redis_server*, redis_server*> replicas;

    // Redis looks as often as `hz` says whether the time of a WAIT is over.
    confirmed_test() : cluster_client_test{nullptr, {{"hz", "100"}}}
    {
        for (const auto& tag : tags)
            replicas[&home_of(tag)] = &servers.add_replica_of(home_of(tag));
    }
    ~confirmed_test()
    {
        for (const auto& [primary, replica] : replicas)
            replica->thaw();
    }

    redis_server& replica_of(const std::string& tag) { return *replicas.at(&home_of(tag)); }
};

struct divided_test : confirmed_test
{
    static constexpr unsigned partitions = 12;

    static std::string tag_of(unsigned partition) { return "numbers:" + std::to_string(partition); }

    std::int64_t waiting_at(redis_server& primary)
    {
        std::int64_t sum = 0;
        for (unsigned i = 0; i != partitions; ++i)
            if (&home_of(tag_of(i)) == &primary)
                sum += primary("LLEN", key("jobs", tag_of(i))).integer;
        return sum;
    }

    std::int64_t waiting()
    {
        std::int64_t sum = 0;
        for (const auto& [primary, replica] : replicas)
            sum += waiting_at(*primary);
        return sum;
    }

    static std::vector<int> numbers(int count)
    {
        std::vector<int> all(static_cast<std::size_t>(count));
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
};

std::int64_t waits_of(redis_server& server)
{
    const auto told = server.raw().info("commandstats", "cmdstat_wait");
    return told.empty() ? 0 : std::stoll(told.substr(told.find('=') + 1));
}

} // namespace

BOOST_FIXTURE_TEST_CASE(pushes_are_confirmed_by_the_node_that_has_them, confirmed_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        for (const auto& tag : tags) {
            const auto queue = list_queue<int>{redis, tagged(tag)}.with(durability::replicated(1, 10s));
            // A call that finds no script is confirmed like any other, and repeated.
            home_of(tag)("SCRIPT", "LOAD", detail::find_script("list/submit").text());
            co_await queue.async_push(1);
            co_await queue.async_push(2, {.delay = 1h});
            auto& replica = replica_of(tag).raw();
            (void)replica("READONLY");
            BOOST_TEST(replica("LLEN", key("jobs", tag)).integer == 1);
            BOOST_TEST(replica("ZCARD", key("scheduled", tag)).integer == 1);
            BOOST_TEST(waits_of(home_of(tag)) == 2);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(what_no_replica_has_in_time_is_queued_and_not_confirmed, confirmed_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        replica_of(low).freeze();
        const auto queue = list_queue<int>{redis, tagged(low)}.with(durability::replicated(1, 50ms));
        const auto error = co_await error_of(queue.async_push(1));
        BOOST_TEST(error == errc::unconfirmed, error);
        BOOST_TEST(error.says("0 of 1 replicas"), error);
        BOOST_TEST(home_of(low)("LLEN", key("jobs", low)).integer == 1);
        const auto other = list_queue<int>{redis, tagged(high)}.with(durability::replicated(1, 10s));
        co_await other.async_push(1); // which that one does not concern
    });
}

BOOST_FIXTURE_TEST_CASE(no_disk_confirms_where_nothing_is_kept, confirmed_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const list_queue<int> queue{redis, tagged(low)};
        const auto safe = queue.with(durability::synced());
        BOOST_TEST((co_await error_of(safe.async_push(1))) == errc::not_supported);
        BOOST_TEST(home_of(low)("LLEN", key("jobs", low)).integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(pushes_follow_a_slot_and_are_confirmed_where_it_is, confirmed_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const auto queue = list_queue<int>{redis, tagged(middle)}.with(durability::replicated(1, 10s));
        co_await queue.async_push(1);
        auto& to = home_of(high);
        move(middle, to);
        const auto before = waits_of(to);
        co_await queue.async_push(2);
        BOOST_TEST(to("LLEN", key("jobs", middle)).integer == 2);
        BOOST_TEST(waits_of(to) == before + 1);
        replica_of(high).freeze();
        const auto hasty = list_queue<int>{redis, tagged(middle)}.with(durability::replicated(1, 50ms));
        BOOST_TEST((co_await error_of(hasty.async_push(3))) == errc::unconfirmed);
        BOOST_TEST(to("LLEN", key("jobs", middle)).integer == 3);
    });
}

BOOST_FIXTURE_TEST_CASE(managed_jobs_are_confirmed_too, confirmed_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const managed_queue mail{redis, "mail", {.prefix = tagged(low) + "ql:"}};
        auto& replica = replica_of(low).raw();
        (void)replica("READONLY");
        const auto state_at_replica = [&](const std::string& id) {
            return replica("HGET", tagged(low) + "ql:j:" + id, "state").text;
        };
        const auto safe = mail.with(durability::replicated(1, 10s));
        const auto id = co_await safe.async_push("Letter", 1);
        BOOST_TEST(state_at_replica(id) == "waiting");
        replica_of(low).freeze();
        const auto hasty = mail.with(durability::replicated(1, 50ms));
        BOOST_TEST((co_await error_of(hasty.async_push("Letter", 2))) == errc::unconfirmed);
    });
}

BOOST_FIXTURE_TEST_CASE(partitions_share_the_confirmations_of_their_node, divided_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", {.partitions = partitions}};
        const auto safe = queue.with(durability::replicated(1, 10s));
        co_await safe.async_push(0); // which learns of the partitions
        std::map<redis_server*, std::int64_t> before;
        for (const auto& [primary, replica] : replicas)
            before[primary] = waits_of(*primary);
        co_await safe.async_push_many(numbers(1200));
        BOOST_TEST(waiting() == 1201);
        for (const auto& [primary, replica] : replicas)
            BOOST_TEST(waits_of(*primary) - before[primary] <=
                       2); // the first partition's, and the others' together
        co_await queue.with(durability::memory()).async_push(1);
        BOOST_TEST(waiting() == 1202);
    });
}

BOOST_FIXTURE_TEST_CASE(what_a_node_does_not_confirm_is_told_of_its_partitions, divided_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", {.partitions = partitions}};
        const auto safe = queue.with(durability::replicated(1, 3s));
        const auto hasty = queue.with(durability::replicated(1, 50ms));
        co_await queue.async_push(0);
        auto& silent = home_of(tag_of(0));
        replicas.at(&silent)->freeze();
        BOOST_TEST((co_await error_of(hasty.async_push_many(numbers(120)))) == errc::unconfirmed);
        BOOST_TEST(waiting() == 121); // all are queued
        const auto before = waiting_at(silent);
        const std::vector<raw_push> some(24, raw_push{raw_json{"1"}});
        const auto results = co_await safe.async_push_each_json(some);
        const auto unconfirmed = std::count_if(results.begin(), results.end(),
                                               [](const auto& each) { return !each.unconfirmed.empty(); });
        BOOST_TEST(unconfirmed == waiting_at(silent) - before);
        BOOST_TEST(waiting() == 121 + 24);
        for (const auto& each : results)
            BOOST_TEST(each.pushed);
    });
}

BOOST_AUTO_TEST_SUITE_END()
