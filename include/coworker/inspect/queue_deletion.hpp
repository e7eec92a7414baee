// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace coworker {

/// What an inspector removes together with a queue.
struct queue_deletion
{
    bool with_jobs = false; ///< also its jobs; otherwise a queue that has some is refused
    /// Also while jobs run or workers are there. The outcomes of such jobs are dropped; the worker of a managed queue
    /// is told, and cancels them. A worker that goes on uses an empty queue of the same name.
    bool while_used = false;
};

/// What became of the jobs that a purge has found.
struct purge_result
{
    std::size_t purged = 0; ///< how many are gone
    std::size_t kept = 0;   ///< how many have stayed, since jobs that stay wait for them; managed queues only
};

} // namespace coworker
