#pragma once

#include "program/demo/tally.hpp"
#include "program/demo/verification.hpp"

#include <coworker/list_queue.hpp>

#include <string>
#include <vector>

namespace coworker::demo {

/// The worker that was killed.
struct crash
{
    unsigned worker = 0;             ///< 0: none was
    std::int64_t moment = 0;         ///< microseconds_now
    std::size_t results = 0;         ///< how many files were done at that moment
    std::vector<std::uint64_t> held; ///< the files whose jobs it had in progress
};

/// What the demo found out.
struct findings
{
    tally results;
    list_queue_sizes jobs;           ///< at the end
    std::vector<std::string> failed; ///< jobs that failed and should not have
    std::size_t vanished = 0;        ///< jobs that failed since their file has changed or gone
    crash killed;
    std::int64_t began = 0, ended = 0; ///< of the hashing
    verification sample;
    bool survivor_ended_well = false;
};

/// Prints the findings. Returns whether all is as it should be, after having said what is not.
bool report(const findings& found);

} // namespace coworker::demo
