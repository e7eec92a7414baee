// SPDX-License-Identifier: MIT
#include "bounds.hpp"
#include "worker/handler_pool/handler_pool.hpp"
#include "worker/queue_runner.hpp"

#include <algorithm>
#include <utility>

/// Jobs that wait for a place, and what becomes of them when it takes too long.
namespace coworker::detail {

bool handler_pool::any_held_back() const
{
    return std::any_of(held_back_.begin(), held_back_.end(), [](const auto& jobs) { return !jobs.empty(); });
}

void handler_pool::look_later()
{
    if (std::exchange(will_look_, true))
        return;
    look_timer_.expires_after(pace::patience);
    look_timer_.async_wait([self = life_.keep(), this](error_code ec) {
        will_look_ = false;
        try {
            if (!ec)
                look_at_waiting();
        } catch (...) {
            life_.die(std::current_exception());
        }
    });
}

/// Jobs were fetched ahead that should have been started by now: another worker may have a place for them.
void handler_pool::look_at_waiting()
{
    now_ = clock::now();
    give_back(ready_, dispatcher_.excess());
    for (std::size_t group = 0; group != held_back_.size(); ++group)
        give_back(held_back_[group], dispatcher_.excess(group));
    if (!ready_.empty() || any_held_back())
        look_later();
}

/// Gives the last of them back, if the first has waited for too long. A part of them that fits into one call comes
/// before the part in front of it, so that they stand in the queue as they did.
void handler_pool::give_back(std::deque<running_job*>& waiting, std::size_t excess)
{
    if (waiting.empty() || now_ - waiting.front()->arrived < pace::patience)
        return;
    for (auto left = std::min(excess, waiting.size()); left != 0;) {
        const auto count = (left - 1) % max_batch + 1;
        left -= count;
        const auto first = waiting.end() - static_cast<std::ptrdiff_t>(count);
        const std::vector<running_job*> part{first, waiting.end()};
        waiting.erase(first, waiting.end());
        for (auto* job : part) {
            dispatcher_.pace_of(job->queue->index()).was_wrong();
            finish(*job, release());
        }
    }
}

} // namespace coworker::detail
