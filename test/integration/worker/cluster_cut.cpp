// SPDX-License-Identifier: MIT
#include "cluster_failover_test.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

/// A primary of a cluster is cut from all other nodes, and is there for clients: it goes on until it misses the others,
/// and a replica takes its place meanwhile.
BOOST_AUTO_TEST_SUITE(cluster_cut)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

const std::string left_behind =
    "left-behind"; ///< a user, whose clients are cut off together with the primary

/// Of the moving queue: these run until the end, and the next ones until the primary has been cut off.
constexpr int held = 5, waiting = 20;

struct with_network
{
    cuttable_network network;
};

struct cut_test : with_network, failover_test
{
    bool is_cut = false, may_end = false;
    redis_server* replica = nullptr;
    handle_options how_to_handle{};

    cut_test() : failover_test{&network, {{"user", left_behind, "on", ">secret", "~*", "&*", "+@all"}}}
    {
        limit += network.time_of_cut();
        // Clients ask the nodes in this order who has the slots, so this one is asked first.
        moving = *std::min_element(tags.begin(), tags.end(), [&](const auto& left, const auto& right) {
            return port_of(left) < port_of(right);
        });
        replica = &servers.add_replica_of(old_home());
    }

    std::string port_of(const std::string& tag) { return std::to_string(servers.port_of(home_of(tag))); }
    const cuttable_network::place& old_place() { return servers.place_of(old_home()); }

    asio::awaitable<void> run(std::string tag, int number)
    {
        books[tag].start(number);
        while (tag == moving && (number < held ? !may_end : number < held + waiting && !is_cut))
            co_await let_pass(5ms);
    }

    void handle(worker& subject, const client& redis, const std::string& tag)
    {
        const list_queue<int> queue{redis, tagged(tag)};
        subject.handle(
            queue, [this, tag](int number) { return run(tag, number); }, how_to_handle);
    }

    worker_options with_places()
    {
        auto options = observed();
        options.concurrency = 2 * (held + waiting);
        return options;
    }

    client_options how_to_push()
    {
        auto how_to_connect = cluster_options();
        how_to_connect.command_timeout = 10s;
        return how_to_connect;
    }

    std::int64_t in_progress(redis_server& node) { return node("HLEN", key("progress", moving)).integer; }

    /// Until what can have ended has, and its end is known to the replica, as all that has been pushed.
    asio::awaitable<void> come_to_rest()
    {
        co_await eventually("all others have ended", [&] {
            return old_home()("LLEN", key("jobs", moving)).integer == 0 &&
                   in_progress(old_home()) == books[moving].count_of_runs_before(held + waiting);
        });
        wait_until_replicated();
    }

    /// The replica has taken over, and the old primary knows at least that it must not go on.
    bool has_moved()
    {
        return is_primary(*replica) &&
               old_home()("CLUSTER", "INFO").text.find("cluster_state:fail") != std::string::npos;
    }

    asio::awaitable<void> heal(const client& producer)
    {
        network.heal();
        for (bool is_over = false; !is_over;) { // pushes go on
            co_await push_to_all(producer, 1);
            is_over = !is_primary(old_home());
        }
    }

    asio::awaitable<void> wait_until_left(std::string name)
    {
        return eventually("the client has left the old primary", [=, this] {
            return old_home()("CLIENT", "LIST").text.find(name) == std::string::npos;
        });
    }

    /// Each job but those that were pushed to the primary that was cut off, and those whose end only that one knows.
    void judge_cut()
    {
        judge();
        const auto& book = books[moving];
        for (const int number : book.missing())
            BOOST_TEST(number < taken_over);
        for (const auto& [number, runs] : book.runs)
            if (number < held || number >= held + waiting)
                BOOST_TEST(runs == 1, number << " ran " << runs << " times");
        BOOST_TEST(events.count(event_kind::recovered) == 0u);
        BOOST_TEST_MESSAGE("accepted until " << taken_over - replicated << " pushes later");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(accounts_for_each_job_when_a_primary_is_cut_from_the_others, cut_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        client producer{io.get_executor(), how_to_push()};
        worker subject{redis, with_places()};
        for (const auto& tag : tags)
            handle(subject, redis, tag);
        handle_safe(subject, redis);
        background working{io.get_executor(), subject.async_run()};
        co_await push_to_all(producer, 200);
        co_await come_to_rest();
        for (const auto& tag : tags)
            books[tag].longest_pause = {};
        network.isolate(old_place());
        is_cut = true;
        co_await push_until(producer, [&] { return has_moved(); });
        const auto until = std::chrono::steady_clock::now() + network.time_of_cut();
        do // although the old primary is there and knows nothing of it
            co_await push_to_all(producer, 100);
        while (std::chrono::steady_clock::now() < until);
        co_await eventually("all jobs that must be there have run", [&] { return all_have_run(); });
        co_await heal(producer);
        co_await wait_until_left(redis.client_name());
        co_await wait_until_left(producer.client_name());
        co_await push_to_all(producer, 100);
        may_end = true;
        co_await eventually("all jobs that must be there have run", [&] { return all_have_run(); });
        co_await look_at(*replica);
        subject.stop();
        co_await working.join();
        co_await producer.async_stop();
    });
    judge_cut();
}

BOOST_FIXTURE_TEST_CASE(clients_that_were_cut_off_with_a_primary_come_back, cut_test)
{
    job_account inside, confirmed_inside; // of pushes on that side
    // Servers cannot tell a client that is cut off from one that is silent, so its jobs come back when their leases end.
    how_to_handle.lease = 6s;
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        client producer{io.get_executor(), how_to_push()};
        auto as_left_behind = how_to_push();
        as_left_behind.user = left_behind;
        as_left_behind.password = "secret";
        as_left_behind.command_timeout = 5s; // at the end of which it knows that something is wrong
        client insider{io.get_executor(), as_left_behind};
        const list_queue<int> queue{insider, tagged(moving)};
        worker subject{redis, with_places()}, left{insider, with_places()};
        handle(left, insider, moving);
        for (const auto& tag : tags)
            handle(subject, redis, tag);
        handle_safe(subject, redis);
        background left_working{io.get_executor(), left.async_run()};
        co_await push_to_all(producer, held + waiting);
        co_await come_to_rest();
        background working{io.get_executor(), subject.async_run()};
        network.isolate_with_clients(old_place(), left_behind);
        is_cut = true;
        int number = 1'000'000;
        while (inside.unknown.empty()) { // as long as the old primary does not know that it is alone
            co_await inside.push(queue, number++);
            co_await confirmed_inside.push(queue.with(durability::replicated(1, 20ms)), number++);
        }
        co_await push_until(producer, [&] { return has_moved(); });
        co_await eventually("the jobs of the worker that is away run again", [&] {
            return std::all_of(books[moving].runs.begin(), books[moving].runs.end(),
                               [](const auto& each) { return each.first >= held || each.second == 2; });
        });
        co_await heal(producer);
        // When the leases end, or at the latest when the successor refuses to renew them.
        co_await events.wait_for(event_kind::lease_lost, held);
        co_await wait_until_left(redis.client_name());
        co_await wait_until_left(insider.client_name());
        may_end = true;
        co_await push_to_all(producer, 50);
        co_await eventually("all jobs that must be there have run", [&] { return all_have_run(); });
        subject.stop();
        co_await working.join();
        const auto last = next;
        for (; next != last + 50; ++next) { // the other worker is alone with these
            co_await books[moving].push(queue, next);
            BOOST_TEST(books[moving].acknowledged.contains(next));
        }
        co_await eventually("the worker that was away works", [&] { return all_have_run(); });
        co_await look_at(*replica);
        left.stop();
        co_await left_working.join();
        co_await insider.async_stop();
        co_await producer.async_stop();
    });
    const auto& book = books[moving];
    for (const auto& [number, runs] :
         book.runs) // those of the second kind have ended where nobody else knows of it
        BOOST_TEST((number < held ? runs == 2 : runs <= (number < held + waiting ? 2 : 1)),
                   number << " ran " << runs << " times");
    for (const int number : book.missing()) {
        BOOST_TEST(number >= replicated);
        BOOST_TEST(number < taken_over);
    }
    BOOST_TEST(events.total(event_kind::recovered) >= std::size_t{held});
    BOOST_TEST(confirmed_inside.acknowledged.empty());
    BOOST_TEST(books[safe].missing().empty());
    BOOST_TEST_MESSAGE("accepted by the primary that was cut off " << inside.acknowledged.size());
}

BOOST_AUTO_TEST_SUITE_END()
