// SPDX-License-Identifier: MIT
#pragma once

#include "redis/cluster/cluster.hpp"

#include "support/cluster_servers.hpp"
#include "support/coroutine.hpp"
#include "support/event_log.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/redis/request.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coworker::test {

/// A key in each third of the slots.
inline const std::string low = "bar";    // slot 5061
inline const std::string middle = "zzz"; // slot 10118
inline const std::string high = "foo";   // slot 12182

inline detail::node_address address_of(const redis_server& server)
{
    return {"127.0.0.1", std::to_string(server.tcp_port())};
}

/// A request of one command.
template<class... Words>
boost::redis::request command(const Words&... words)
{
    boost::redis::request what;
    what.push(words...);
    return what;
}

inline asio::awaitable<detail::reply> send(detail::cluster& redis, boost::redis::request what)
{
    detail::reply answers;
    co_await redis.exec(what, answers);
    co_return answers;
}

inline bool is_primary(redis_server& node)
{
    return node.raw().info("replication", "role") == "master";
}

/// Makes a replica a primary, and the primary its replica.
inline asio::awaitable<void> promote(redis_server& replica, redis_server& primary)
{
    using clock = std::chrono::steady_clock;
    clock::time_point ask_again{};
    co_await eventually("they change places", [&] {
        if (is_primary(replica))
            return !is_primary(primary);
        if (clock::now() >= ask_again) {
            replica.raw().try_command({"CLUSTER", "FAILOVER"});
            ask_again = clock::now() + std::chrono::seconds{6}; // Redis gives up after five
        }
        return false;
    });
}

/// A Redis Cluster, and a context to reach it from.
struct cluster_test
{
    cluster_servers servers;
    asio::io_context io{1};
    event_log events{io.get_executor()};
    client_options how{};
    std::vector<detail::node_address> seeds{{"127.0.0.1", std::to_string(servers.port_of(servers[0]))}};

    explicit cluster_test(cuttable_network* network = nullptr,
                          std::vector<std::vector<std::string>> config = {},
                          std::chrono::milliseconds node_timeout = long_node_timeout,
                          bool append_only = false)
        : servers{std::move(config), network, node_timeout, append_only}
    {
        how.on_event = events.observe();
    }

    /// Runs a test with a connection to the cluster, and ends that.
    template<class Test>
    void run(Test test)
    {
        const auto redis =
            std::make_shared<detail::cluster>(io.get_executor(), how, detail::address{}, seeds);
        const auto whole = [&]() -> asio::awaitable<void> {
            co_await test(*redis);
            co_await redis->stop();
        };
        run_coroutine(io, whole());
    }

    /// Where the key is at first, behind coworker's back.
    redis_server& home_of(const std::string& key) { return servers.first_owner(detail::slot_of(key)); }
};

} // namespace coworker::test
