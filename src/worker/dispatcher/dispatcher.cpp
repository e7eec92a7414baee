// SPDX-License-Identifier: MIT
#include "worker/dispatcher/dispatcher.hpp"

#include "bounds.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

/// Calls to one source at the same time: while Redis works on one, the answer to the other is
/// worked on here. What becomes ready meanwhile goes together with the next.
constexpr std::size_t max_in_flight = 2;

std::size_t minus(std::size_t a, std::size_t b) noexcept
{
    return a > b ? a - b : 0;
}

} // namespace

dispatcher::dispatcher(queue_order order, std::size_t concurrency, std::vector<queue_limits> queues)
    : order_{order}, concurrency_{concurrency}
{
    for (const auto& limits : queues) {
        add_queue(limits);
        queues_.back().empty = false;
    }
}

void dispatcher::add_queue(queue_limits limits)
{
    if (order_ == queue_order::round_robin)
        limits.weight = 1;
    groups_.emplace_back().limits = limits;
    queues_.push_back({.group = groups_.size() - 1, .likely = max_batch, .empty = true});
}

std::size_t dispatcher::add_part(std::size_t queue)
{
    queues_.push_back({.group = group_of(queue), .likely = max_batch, .empty = true});
    return queues_.size() - 1;
}

bool dispatcher::wants_jobs(const queue_state& queue) const noexcept
{
    const auto& group = groups_[queue.group];
    return taking_ && !queue.empty && !queue.in_doubt && !queue.resting && !queue.is_silent() &&
           own_room(group) != 0;
}

/// What was observed of the groups' handlers, and what follows from it for now.
void dispatcher::look_ahead(time_point now)
{
    slow_ = 0;
    for (auto& group : groups_) {
        group.quick = group.observed.is_quick(now);
        slow_ += group.quick ? 0 : group.running;
    }
    // Places of handlers that may run for long are no places.
    const auto places_left = minus(concurrency_, slow_);
    for (auto& group : groups_) {
        const auto places = std::min(group.limits.concurrency, places_left);
        const auto waiting = group.quick ? group.observed.may_wait(places) : 0;
        group.ahead = waiting == 0 ? 0 : minus(group.started + waiting, places);
    }
}

/// How many more jobs the worker may have, seen from this group. Where shares count, one whose handlers may run for
/// long is not kept out by jobs that wait for a moment.
std::size_t dispatcher::room_for(const group_state& group) const noexcept
{
    if (!group.quick && order_ != queue_order::strict)
        return minus(concurrency_, slow_);
    return minus(concurrency_ + group.ahead, occupied_);
}

/// How many more jobs the group may have by its own limit.
std::size_t dispatcher::own_room(const group_state& group) noexcept
{
    return minus(group.limits.concurrency + group.ahead, group.running);
}

/// A queue has two calls under way at most, in which much goes together. If it has parts, it has more only if much goes
/// with each: where handlers end soon, there is always a part with room for a few jobs.
bool dispatcher::is_worth_a_call(const group_state& group, std::size_t jobs) const noexcept
{
    const auto much = std::min(max_batch / 2, (group.limits.concurrency + group.ahead) / 4);
    return jobs != 0 && (!group.quick || group.calls < max_in_flight || jobs >= much);
}

bool dispatcher::can_take(const queue_state& queue) const noexcept
{
    const auto& group = groups_[queue.group];
    return wants_jobs(queue) && queue.in_flight < max_in_flight &&
           is_worth_a_call(group, std::min(room_for(group), own_room(group)));
}

/// Whether jobs will be taken from a part in a moment, with which its outcomes go.
bool dispatcher::is_called_soon(std::size_t part) const noexcept
{
    const auto& group = groups_[queues_[part].group];
    return group.quick && (part == group.turn || part == group.next_turn) && wants_jobs(queues_[part]);
}

/// Outcomes alone. While two calls to its group are under way, those of a part may wait for a moment, so that others go
/// with them: until there are many, or, where jobs will be taken with which they go, however many they are. The end of
/// such a call lets them be looked at again. When the worker stops, what is still being taken goes back behind what was
/// taken before it, so that comes first.
bool dispatcher::can_settle(std::size_t which, time_point now) const noexcept
{
    const auto& queue = queues_[which];
    const auto& group = groups_[queue.group];
    const bool may_wait = taking_ && queue.held != 0 && now - moment < queue.pending_since;
    return queue.pending != 0 && queue.in_flight < max_in_flight && !queue.in_doubt && !queue.resting &&
           (taking_ || queue.takes == 0) &&
           (!may_wait || is_worth_a_call(group, is_called_soon(which) ? 1 : queue.pending));
}

dispatcher::step dispatcher::begin(step what)
{
    auto& queue = queues_[what.queue];
    if (what.take != 0 && queue.takes++ == 0)
        queue.quiet = false;
    ++queue.in_flight;
    queue.pending -= what.acknowledge;
    what.lent = queue.lent;
    keep_places(queue, what.take);
    return what;
}

/// A part that had nothing to take does not make up for that time.
void dispatcher::catch_up(queue_state& queue)
{
    auto& group = groups_[queue.group];
    queue.served = std::max(queue.served, group.round);
    const bool rested = std::none_of(queues_.begin(), queues_.end(), [&](const queue_state& part) {
        return part.group == queue.group && &part != &queue && !part.empty && !part.resting &&
               !part.is_silent();
    });
    if (rested)
        group.served = std::max(group.served, round_);
}

void dispatcher::end_rests(time_point now)
{
    for (auto& queue : queues_)
        if (queue.resting && now >= queue.not_before) {
            catch_up(queue);
            queue.resting = false;
        }
}

std::optional<dispatcher::step> dispatcher::next(time_point now)
{
    end_rests(now);
    look_ahead(now);
    for (std::size_t i = 0; i != queues_.size(); ++i)
        if (queues_[i].in_doubt && !queues_[i].resting && queues_[i].in_flight == 0)
            return begin({.queue = i, .reconcile = true});
    look_at_groups(now);
    if (const auto which = group_to_take_from()) {
        const auto i = part_to_take_from(*which, now);
        queues_[i].weight = weight_of(queues_[i]);
        round_ = groups_[*which].served;
        groups_[*which].round = queues_[i].served;
        return begin({.queue = i,
                      .acknowledge = std::min(queues_[i].pending, max_batch),
                      .take = to_ask_for(queues_[i])});
    }
    for (std::size_t i = 0; i != queues_.size(); ++i)
        if (can_settle(i, now))
            return begin({.queue = i, .acknowledge = std::min(queues_[i].pending, max_batch)});
    return std::nullopt;
}

void dispatcher::acknowledge_fewer(step& what, std::size_t acknowledge)
{
    queues_[what.queue].pending += what.acknowledge - acknowledge;
    what.acknowledge = acknowledge;
}

void dispatcher::ended(const step& done, std::size_t taken, std::size_t waiting)
{
    auto& queue = queues_[done.queue];
    if (done.take != 0)
        queue.waiting = waiting;
    if (queue.late) // it does not make up for that time
        catch_up(queue);
    queue.late = false;
    end_call(done, taken);
    running_ += taken;
    queue.held += taken;
    if (taken < done.take)
        queue.empty = true;
    if (done.take != 0)
        queue.likely = taken < done.take ? 2 * taken : std::max(queue.likely, 2 * taken);
}

void dispatcher::jobs_ready(std::size_t index)
{
    auto& queue = queues_[index];
    if (queue.empty)
        catch_up(queue);
    queue.empty = false;
}

/// A step that has failed: everything is as before it.
void dispatcher::take_back(const step& done)
{
    end_call(done, 0);
    queues_[done.queue].pending += done.acknowledge;
}

void dispatcher::refused(const step& done, time_point not_before)
{
    take_back(done);
    queues_[done.queue].resting = true;
    queues_[done.queue].not_before = std::max(queues_[done.queue].not_before, not_before);
}

void dispatcher::in_doubt(const step& done)
{
    take_back(done);
    if (done.take != 0)
        queues_[done.queue].in_doubt = true;
}

void dispatcher::connected_again(std::size_t queue)
{
    queues_[queue].in_doubt = true;
}

void dispatcher::reconciled(const step& done)
{
    --queues_[done.queue].in_flight;
    queues_[done.queue].in_doubt = false;
}

void dispatcher::handler_started(std::size_t queue, time_point now)
{
    auto& group = groups_[group_of(queue)];
    ++group.started;
    ++started_;
    const bool others_wait = group.running != group.started + group.taking;
    group.observed.started(now, others_wait);
}

void dispatcher::handler_ended(std::size_t queue, time_point since, time_point now)
{
    auto& group = groups_[group_of(queue)];
    --group.started;
    --started_;
    group.observed.ended(since, now);
}

std::size_t dispatcher::excess(group_index which) const noexcept
{
    return minus(groups_[which].running, groups_[which].limits.concurrency);
}

void dispatcher::job_ended(std::size_t queue, bool acknowledge)
{
    --groups_[group_of(queue)].running;
    --queues_[queue].held;
    --occupied_;
    --running_;
    if (acknowledge)
        ++queues_[queue].pending;
}

bool dispatcher::is_settled() const noexcept
{
    return std::all_of(queues_.begin(), queues_.end(), [](const queue_state& queue) {
        const bool given_up = queue.not_before == time_point::max();
        return (queue.pending == 0 || given_up) && queue.in_flight == 0;
    });
}

} // namespace coworker::detail
