// SPDX-License-Identifier: MIT
#pragma once

#include "support/cuttable_network.hpp"

#include <chrono>
#include <deque>
#include <string>
#include <vector>

namespace coworker::test {

/// A primary, two replicas of it, and three Sentinels that watch over it under the name "jobs", on free ports of the
/// loopback device. They call it dead when it has not answered for half a second.
class sentinel_servers
{
public:
    /// In a network of the test's, the servers can be cut from each other and from the Sentinels.
    explicit sentinel_servers(cuttable_network* network = nullptr);

    /// The one that is the primary at first.
    redis_server& first() { return servers_.front(); }
    /// In the network.
    const cuttable_network::place& place_of_first() const { return *places_.front(); }
    /// A new connection to the server that the Sentinels name: they end all connections to one when they give it
    /// another role.
    raw_redis primary();
    /// For how long a server may not answer before a Sentinel counts it as down: at first, for longer than a busy machine
    /// is silent.
    void count_as_down_after(std::chrono::milliseconds time);
    /// Whether all Sentinels name another one than the first, and it accepts writes.
    bool has_failed_over();
    /// Whether the first one has become a replica, and has no connection of this client.
    bool first_is_replica_without(const std::string& client_name);

    /// "host:port" of each Sentinel.
    std::vector<std::string> places() const;
    /// Sends a command to a Sentinel.
    redis_value ask(std::size_t sentinel, const std::vector<std::string>& words);

private:
    struct sentinel
    {
        temporary_folder folder{};
        int port = 0;
        std::vector<process> running{}; ///< one
    };

    raw_redis look_at_first() { return raw_redis{first().socket_path()}; }
    void start_server();
    int port_of(std::size_t server) const; ///< where others and clients reach it
    void start(sentinel& which);
    bool knows_all(std::size_t sentinel);
    int named_port(std::size_t sentinel);

    cuttable_network* network_;
    std::deque<redis_server> servers_;
    std::vector<const cuttable_network::place*> places_; ///< of the servers, in the network
    std::deque<sentinel> sentinels_;
};

} // namespace coworker::test
