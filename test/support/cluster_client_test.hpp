// SPDX-License-Identifier: MIT
#pragma once

#include "support/client_test.hpp"
#include "support/cluster_test.hpp"

#include <string>
#include <vector>

namespace coworker::test {

/// List queues in each third of the slots of a cluster.
inline const std::vector<std::string> tags{low, middle, high};

inline std::string tagged(const std::string& tag)
{
    return '{' + tag + '}';
}

/// A Redis Cluster, and clients of it.
struct cluster_client_test : cluster_test
{
    using cluster_test::cluster_test;

    client_options cluster_options()
    {
        auto result = how;
        result.url = "redis+cluster://127.0.0.1:" + seeds[0].port;
        return result;
    }

    /// The name of a worker that is connected to the node of a slot, and to no other one.
    std::string connect_worker_at(const std::string& tag)
    {
        std::string name =
            "coworker:" + std::string(30, '0') + "a" + std::to_string(detail::slot_of(tag) % 10);
        home_of(tag)("CLIENT", "SETNAME", name);
        return name;
    }

    std::string key(const std::string& part, const std::string& tag)
    {
        return "hworker-" + part + '-' + tagged(tag);
    }

    std::chrono::seconds limit = 2 * patience; ///< of a test

    /// Runs a test, whose clients it stops itself.
    template<class Test>
    void run_alone(Test test)
    {
        const auto whole = [&]() -> asio::awaitable<void> { co_await test(); };
        run_coroutine(io, whole(), limit);
    }

    /// The same with a client.
    template<class Test>
    void run_with_client(Test test)
    {
        run_alone([&]() -> asio::awaitable<void> {
            client redis{io.get_executor(), cluster_options()};
            co_await test(redis);
            co_await redis.async_stop();
        });
    }

    /// What an inspector finds once all nodes answer in time, which those of a busy machine may not do at first.
    template<class Found, class Look>
    asio::awaitable<Found> find_all(Look look)
    {
        for (;;) {
            Found found = co_await look();
            if (found.missing_nodes.empty())
                co_return found;
        }
    }

    worker_options observed()
    {
        worker_options options;
        options.observers = {events.observe()};
        return options;
    }

    asio::awaitable<void> wait_for_ends(std::size_t count)
    {
        co_await events.wait_until(std::to_string(count) + " jobs to end", [=](const event_log& log) {
            return log.count(event_kind::succeeded) + log.count(event_kind::failed) +
                       log.count(event_kind::broken) >=
                   count;
        });
    }

    /// Moves all of a slot to another node.
    void move(const std::string& tag, redis_server& to)
    {
        const auto slot = detail::slot_of(tag);
        auto& from = home_of(tag);
        servers.open_slot(slot, from, to);
        servers.move_keys(slot, from, to);
        servers.close_slot(slot, from, to);
        servers.wait_until_well();
    }
};

} // namespace coworker::test
