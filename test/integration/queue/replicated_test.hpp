// SPDX-License-Identifier: MIT
#pragma once

#include "integration/queue/pushes_under_way.hpp"
#include "support/expect.hpp"

#include "coworker/durability.hpp"
#include "coworker/list_queue.hpp"

#include <chrono>
#include <string>

namespace coworker::test {

/// A server with a replica.
struct replicated_server : redis_test
{
    redis_server replica;
    client redis{io.get_executor(), observed_options()};
    list_queue<int> numbers{redis, "numbers"};

    // Redis looks as often as `hz` says whether the time of a WAIT is over.
    replicated_server()
        : redis_test{{.tcp = true, .config = {{"hz", "100"}, {"repl-diskless-sync-delay", "0"}}}}
    {
        replica("REPLICAOF", "127.0.0.1", server.tcp_port());
    }

    /// Runs a test when the replica has caught up, and stops the client, so once only.
    template<class Test>
    void run(Test test)
    {
        redis_test::run([&]() -> asio::awaitable<void> {
            co_await eventually("the replica follows", [this] {
                return server.raw().info("replication", "slave0").find("state=online") != std::string::npos &&
                       replica.raw().info("replication", "master_link_status") == "up";
            });
            co_await test();
            co_await redis.async_stop();
        });
    }

    std::int64_t length() { return server("LLEN", "hworker-jobs-numbers").integer; }
};

/// The same with pushes that are under way beside each other.
using replicated_test = pushes_under_way<replicated_server>;

} // namespace coworker::test
