// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace coworker {

/// The Redis server, or the primaries of a Redis Cluster that answer: what `INFO` says.
struct server_info
{
    std::string software; ///< "redis" or "valkey"; empty: it does not tell
    std::string version;  ///< such as "8.0.1"; of nodes that differ the versions of all, with commas
    unsigned nodes = 0;   ///< how many primaries have answered; 1 on one server

    std::uint64_t memory = 0;       ///< bytes that are in use, of all nodes together
    std::uint64_t memory_limit = 0; ///< `maxmemory` of all nodes together; 0: one of them has none
    std::uint64_t clients = 0;      ///< connections, of all nodes together
    std::chrono::seconds uptime{0}; ///< of the node that started last

    /// Nodes of a Redis Cluster that did not answer, as "host:port".
    std::vector<std::string> missing_nodes;
};

} // namespace coworker
