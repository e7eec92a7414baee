// SPDX-License-Identifier: MIT
#include "worker/dispatcher/dispatcher.hpp"

#include <algorithm>

/// Places kept free for jobs that are being taken, and what becomes of them when the call is late.
namespace coworker::detail {

/// Jobs that are being taken count as if they were there, for places and for shares.
void dispatcher::keep_places(queue_state& queue, std::size_t places)
{
    auto& group = groups_[queue.group];
    queue.kept += places;
    queue.served += static_cast<double>(places) / queue.weight;
    group.running += places;
    group.taking += places;
    group.served += group.portion(places);
    occupied_ += places;
}

void dispatcher::leave_places(queue_state& queue, std::size_t places)
{
    auto& group = groups_[queue.group];
    queue.kept -= places;
    queue.served -= static_cast<double>(places) / queue.weight;
    group.running -= places;
    group.taking -= places;
    group.served -= group.portion(places);
    occupied_ -= places;
}

/// A step has ended with `taken` jobs. If its places were lent to others, these jobs wait for places.
void dispatcher::end_call(const step& done, std::size_t taken)
{
    auto& queue = queues_[done.queue];
    auto& group = groups_[queue.group];
    --queue.in_flight;
    queue.takes -= done.take != 0;
    queue.quiet = false;
    if (done.lent != queue.lent)
        keep_places(queue, taken);
    else
        leave_places(queue, done.take - taken);
    queue.kept -= taken;
    group.taking -= taken;
}

bool dispatcher::keeps_places() const noexcept
{
    return queues_.size() > 1 && std::any_of(queues_.begin(), queues_.end(),
                                             [](const queue_state& queue) { return queue.kept != 0; });
}

void dispatcher::look_for_late_calls()
{
    for (auto& queue : queues_) {
        if (queue.kept != 0 && queue.quiet) {
            leave_places(queue, queue.kept);
            ++queue.lent;
            queue.late = true;
        }
        queue.quiet = queue.takes != 0;
    }
}

} // namespace coworker::detail
