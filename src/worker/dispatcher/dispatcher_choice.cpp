// SPDX-License-Identifier: MIT
#include "worker/dispatcher/dispatcher.hpp"

#include "worker/part_weight.hpp"

#include "bounds.hpp"

#include <algorithm>
#include <limits>

/// From which queue to take, and how many jobs.
namespace coworker::detail {

void dispatcher::look_at_groups(time_point now)
{
    for (auto& group : groups_) {
        group.wants_jobs = group.can_take = false;
        group.calls = 0;
    }
    for (auto& queue : queues_) {
        groups_[queue.group].calls += queue.late ? 0 : queue.in_flight;
        queue.pending_since = queue.pending == 0 ? time_point::max() : std::min(queue.pending_since, now);
    }
    for (const auto& queue : queues_) {
        auto& group = groups_[queue.group];
        group.wants_jobs = group.wants_jobs || wants_jobs(queue);
        group.can_take = group.can_take || can_take(queue);
    }
}

/// A group must not run away from one that has as many calls under way as it may: how many jobs per weight
/// may be served of any.
double dispatcher::lead() const
{
    double least = std::numeric_limits<double>::max();
    double weights = 0;
    for (const auto& group : groups_)
        if (group.wants_jobs) {
            least = std::min(least, group.served);
            weights += group.limits.weight;
        }
    return least + static_cast<double>(concurrency_) / weights;
}

std::optional<dispatcher::group_index> dispatcher::group_to_take_from() const
{
    std::optional<group_index> best;
    for (group_index i = 0; i != groups_.size(); ++i) {
        if (!groups_[i].can_take)
            continue;
        if (order_ == queue_order::strict)
            return i;
        if (!best || groups_[i].served < groups_[*best].served)
            best = i;
    }
    if (best && groups_[*best].served > lead())
        return std::nullopt;
    return best;
}

/// Of those that jobs can be taken from, of which there is one.
std::size_t dispatcher::least_served_part(group_index which) const
{
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i != queues_.size(); ++i)
        if (queues_[i].group == which && can_take(queues_[i]))
            if (!best || queues_[i].served < queues_[*best].served)
                best = i;
    return best.value();
}

/// The least served part that jobs can be taken from. Where handlers end soon, it has its turn
/// for some calls: then outcomes go along with those that take the next jobs from it, and need none of their own.
/// Calls beyond those that it may have go to one other part, which is next.
std::size_t dispatcher::part_to_take_from(group_index which, time_point now)
{
    auto& group = groups_[which];
    const bool goes_on =
        group.quick && group.calls_left != 0 && now < group.turn_ends && wants_jobs(queues_[group.turn]);
    if (goes_on && can_take(queues_[group.turn])) {
        --group.calls_left;
        return group.turn;
    }
    auto& next = group.next_turn;
    const bool is_next = group.quick && next && can_take(queues_[*next]);
    const auto best = is_next ? *next : least_served_part(which);
    if (!goes_on) {
        group.turn = best;
        group.calls_left = calls_in_turn - 1;
        group.turn_ends = now + longest_turn;
        next.reset();
    } else if (!next || !wants_jobs(queues_[*next])) {
        next = best;
    }
    return best;
}

double dispatcher::weight_of(const queue_state& part) const
{
    std::size_t largest = 0;
    for (const auto& queue : queues_)
        if (queue.group == part.group)
            largest = std::max(largest, queue.waiting);
    return part_weight(part.waiting, largest);
}

/// How many jobs to take: of those that there is room for, as many as are this group's due. Where others want jobs as
/// well, its due is a part of the places, however many wait: so shares are kept from batch to batch.
std::size_t dispatcher::share(group_index which) const
{
    const auto& group = groups_[which];
    const std::size_t weight = group.limits.weight;
    std::size_t due = room_for(group);
    if (order_ != queue_order::strict) {
        std::size_t takers = 0, all = 0;
        for (const auto& other : groups_) {
            takers += other.can_take ? other.limits.weight : 0;
            all += other.wants_jobs ? other.limits.weight : 0;
        }
        due = due * weight / takers;
        if (all != weight)
            due = std::min(due, concurrency_ * weight / all);
        due = std::max<std::size_t>(due, 1);
    }
    return std::min({due, own_room(group), max_batch});
}

/// Places are kept free for all jobs that a call asks for. Where handlers end soon and other queues may have jobs, it
/// asks for few more than it will find: or a few calls that find one job each keep all places.
std::size_t dispatcher::to_ask_for(const queue_state& queue) const
{
    constexpr std::size_t least = 16;
    if (queue.late)
        return 1;
    const auto due = share(queue.group);
    const bool is_alone = queues_.size() == 1;
    return is_alone || !groups_[queue.group].quick ? due : std::min(due, std::max(queue.likely, least));
}

} // namespace coworker::detail
