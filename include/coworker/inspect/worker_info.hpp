// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "coworker/job.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coworker {

/// How many jobs of a queue a worker has.
struct worker_load
{
    /// The queue. A worker of managed queues has one entry for all of them, with an empty name. Redis does not record
    /// which of them it fetches from.
    queue_ref queue;
    std::uint64_t running = 0; ///< jobs that are leased to it
    std::uint64_t stalled = 0; ///< jobs whose lease has ended; managed queues only
};

/// A worker that is connected, or that still has jobs, or was seen within five minutes.
struct worker_info
{
    /// The name of its connection in `CLIENT LIST`; of a worker over HTTP or of qless the name that it gives itself. Empty
    /// for all peers without a name and all dead workers together. Jobs of list queues that workers over HTTP hold
    /// have an empty name, too.
    std::string name;
    bool connected = false; ///< there is a connection of that name
    /// Whether it counts as a worker. It is connected. Or it has no connection of its own, and was seen within five
    /// minutes, or holds a lease that has not ended. Also true if none of this can be known. False: it is gone, and is
    /// shown for the jobs that it holds.
    bool present = false;
    std::string address; ///< where the connection comes from, "10.0.0.7:51234"; empty if there is none
    std::optional<timestamp> connected_since; ///< when the connection began; empty if there is none
    /// When it last asked for jobs or renewed a lease. That is noted of workers without a connection of their own, and of
    /// those of managed queues.
    std::optional<timestamp> seen_at;

    // coworker's workers record these; they are empty for others.
    std::string host;                 ///< the name of its machine
    std::uint32_t process = 0;        ///< process id; 0: not known
    std::string version;              ///< of coworker
    std::optional<timestamp> started; ///< when its process began to use coworker

    std::vector<worker_load> loads; ///< how many jobs it has of which queue
};

/// The workers of all queues.
struct worker_list
{
    std::vector<worker_info> workers; ///< by name
    /// Nodes of a Redis Cluster that did not answer, as "host:port". What workers have of queues there is missing, and
    /// so are workers that work on nothing else. Empty: all answered, as always on one server.
    std::vector<std::string> missing_nodes;
};

} // namespace coworker
