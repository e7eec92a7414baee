#pragma once

#include <string>
#include <vector>

namespace coworker::demo {

/// The word that makes this program a worker of the demo. Not for people.
constexpr const char* worker_word = "@hash-files";

/// Which queue a worker process works on.
struct worker_settings
{
    std::string redis_url;
    std::string queue;
    unsigned number = 0;
};

/// The queue that the results of `queue` go to.
std::string results_queue(const std::string& queue);

/// How a worker's connection name begins; a colon and a random part follow.
std::string worker_name(unsigned number);

/// What a worker process does: hashes files until it is told to stop by SIGTERM. Returns the exit status.
///
/// @param words  URL, queue and number
int run_worker(const std::vector<std::string>& words);

} // namespace coworker::demo
