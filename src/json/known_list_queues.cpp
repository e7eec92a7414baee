// SPDX-License-Identifier: MIT
#include "json/known_list_queues.hpp"

namespace coworker::detail {

raw_list_queue known_list_queues::get(const std::string& name)
{
    constexpr std::size_t most_known = 10'000;
    const auto now = std::chrono::steady_clock::now();
    const auto known = known_.find(name);
    if (known != known_.end() && now - known->second.since < std::chrono::minutes{1})
        return known->second.queue;
    if (known_.size() >= most_known)
        known_.clear();
    const raw_list_queue queue{redis_, name, {.max_job_size = 0, .max_waiting = max_waiting_}};
    known_.insert_or_assign(name, known_queue{queue, now});
    return queue;
}

} // namespace coworker::detail
