// SPDX-License-Identifier: MIT
#pragma once

#include "support/redis_test.hpp"

#include "coworker/list_queue.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace coworker::test {

/// A primary that can be replaced by another one behind the same address, and one more, to be its replica.
struct promotion_test : redis_test
{
    redis_server successor{{.tcp = true, .config = {{"repl-diskless-sync-delay", "0"}}}};
    redis_server third;
    std::string address = server.folder().file("current.sock");
    std::optional<client> redis; ///< reaches whoever is the primary

    promotion_test() : redis_test{{.tcp = true, .config = {{"hz", "100"}, {"repl-diskless-sync-delay", "0"}}}}
    {
        std::filesystem::create_symlink(server.socket_path(), address);
        follow(successor, server);
        auto how = observed_options();
        how.url = "unix://" + address;
        redis.emplace(io.get_executor(), how);
    }
    ~promotion_test() { successor.thaw(); }

    static void follow(redis_server& replica, redis_server& primary)
    {
        replica("REPLICAOF", "127.0.0.1", primary.tcp_port());
    }
    static asio::awaitable<void> until_it_follows(redis_server& replica, redis_server& primary)
    {
        co_await eventually("the replica follows", [&] {
            return primary.raw().info("replication", "slave0").find("state=online") != std::string::npos &&
                   replica.raw().info("replication", "master_link_status") == "up";
        });
    }

    /// The primary is gone, and another server is where it was.
    void replace_primary()
    {
        std::filesystem::remove(address);
        std::filesystem::create_symlink(successor.socket_path(), address);
        server.kill();
    }

    asio::awaitable<void> until_it_waits()
    {
        co_await eventually("the confirmation waits",
                            [&] { return server.raw().info("clients", "blocked_clients") == "1"; });
    }
};

} // namespace coworker::test
