#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "coworker/job.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coworker {

/// How many jobs of a queue a worker holds.
struct worker_load
{
    /// A worker of managed queues has one entry for all of these, with an empty name: which queues it takes jobs from
    /// is not recorded.
    queue_ref queue;
    std::uint64_t running = 0;
    std::uint64_t stalled = 0; ///< held for longer than their lease; managed queues only
};

/// A worker that is there, or that still holds jobs.
struct worker_info
{
    /// The name of its connection, as `CLIENT LIST` shows it; of a qless worker what it calls itself. Empty: peers that
    /// tell no name, and workers that are gone, together.
    std::string name;
    bool connected = false; ///< there is a connection of that name
    std::string address;    ///< where the connection comes from, "10.0.0.7:51234"; empty if there is none
    std::optional<timestamp> connected_since;

    // What coworker's workers tell of themselves; empty for others.
    std::string host;
    std::uint32_t process = 0; ///< process id; 0: not known
    std::string version;       ///< of coworker
    std::optional<timestamp> started;

    std::vector<worker_load> loads;
};

} // namespace coworker
