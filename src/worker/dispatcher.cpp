// SPDX-License-Identifier: MIT
#include "worker/dispatcher.hpp"

#include "limits.hpp"

#include <algorithm>
#include <limits>

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
    for (const auto& limits : queues)
        add_queue(limits);
}

void dispatcher::add_queue(queue_limits limits)
{
    queue_state state;
    state.limits = limits;
    if (order_ == queue_order::round_robin)
        state.limits.weight = 1;
    queues_.push_back(state);
}

bool dispatcher::wants_jobs(const queue_state& queue) const noexcept
{
    return taking_ && !queue.empty && !queue.in_doubt && !queue.resting &&
           queue.running < queue.limits.concurrency + queue.ahead;
}

/// What was observed of the queues' handlers, and what follows from it for now.
void dispatcher::look_ahead(time_point now)
{
    slow_ = 0;
    for (auto& queue : queues_) {
        queue.quick = queue.observed.is_quick(now);
        slow_ += queue.quick ? 0 : queue.running;
    }
    // Places of handlers that may run for long are no places.
    const auto places_left = minus(concurrency_, slow_);
    for (auto& queue : queues_) {
        const auto places = std::min(queue.limits.concurrency, places_left);
        const auto waiting = queue.quick ? queue.observed.may_wait(places) : 0;
        queue.ahead = waiting == 0 ? 0 : minus(queue.started + waiting, places);
    }
}

/// How many more jobs the worker may have, seen from this queue. Where shares count, one whose handlers may run for long
/// is not kept out by jobs that wait for a moment.
std::size_t dispatcher::room_for(const queue_state& queue) const noexcept
{
    if (!queue.quick && order_ != queue_order::strict)
        return minus(concurrency_, slow_);
    return minus(concurrency_ + queue.ahead, occupied_);
}

bool dispatcher::can_take(const queue_state& queue) const noexcept
{
    return wants_jobs(queue) && queue.in_flight < max_in_flight && room_for(queue) != 0;
}

/// Outcomes alone. When the worker stops, what is still being taken goes back behind what was taken before it, so
/// that comes first.
bool dispatcher::can_settle(const queue_state& queue) const noexcept
{
    return queue.pending != 0 && queue.in_flight < max_in_flight && !queue.in_doubt && !queue.resting &&
           (taking_ || queue.takes == 0);
}

/// A queue must not run away from one that has as many calls under way as it may: how many jobs per weight
/// may be served of any.
double dispatcher::lead() const
{
    double least = std::numeric_limits<double>::max();
    double weights = 0;
    for (const auto& queue : queues_)
        if (wants_jobs(queue)) {
            least = std::min(least, queue.served);
            weights += queue.limits.weight;
        }
    return least + static_cast<double>(concurrency_) / weights;
}

std::optional<std::size_t> dispatcher::queue_to_take_from() const
{
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i != queues_.size(); ++i) {
        if (!can_take(queues_[i]))
            continue;
        if (order_ == queue_order::strict)
            return i;
        if (!best || queues_[i].served < queues_[*best].served)
            best = i;
    }
    if (best && queues_[*best].served > lead())
        return std::nullopt;
    return best;
}

/// How many jobs to take: of those that there is room for, as many as are this queue's due. Where others want jobs as
/// well, its due is a part of the places, however many wait: so shares are kept from batch to batch.
std::size_t dispatcher::share(std::size_t index) const
{
    const auto& queue = queues_[index];
    const std::size_t weight = queue.limits.weight;
    std::size_t due = room_for(queue);
    if (order_ != queue_order::strict) {
        std::size_t takers = 0, all = 0;
        for (const auto& other : queues_) {
            takers += can_take(other) ? other.limits.weight : 0;
            all += wants_jobs(other) ? other.limits.weight : 0;
        }
        due = due * weight / takers;
        if (all != weight)
            due = std::min(due, concurrency_ * weight / all);
        due = std::max<std::size_t>(due, 1);
    }
    return std::min({due, queue.limits.concurrency + queue.ahead - queue.running, max_batch});
}

dispatcher::step dispatcher::begin(step what)
{
    auto& queue = queues_[what.queue];
    ++queue.in_flight;
    queue.takes += what.take != 0;
    queue.pending -= what.acknowledge;
    queue.running += what.take;
    queue.taking += what.take;
    occupied_ += what.take;
    queue.served += queue.portion(what.take);
    return what;
}

void dispatcher::end_rests(time_point now)
{
    for (auto& queue : queues_)
        if (queue.resting && now >= queue.not_before) {
            queue.resting = false;
            queue.served = std::max(queue.served, round_); // it does not make up for its rest
        }
}

std::optional<dispatcher::step> dispatcher::next(time_point now)
{
    end_rests(now);
    look_ahead(now);
    for (std::size_t i = 0; i != queues_.size(); ++i)
        if (queues_[i].in_doubt && !queues_[i].resting && queues_[i].in_flight == 0)
            return begin({.queue = i, .reconcile = true});
    if (const auto i = queue_to_take_from()) {
        round_ = queues_[*i].served;
        return begin(
            {.queue = *i, .acknowledge = std::min(queues_[*i].pending, max_batch), .take = share(*i)});
    }
    for (std::size_t i = 0; i != queues_.size(); ++i)
        if (can_settle(queues_[i]))
            return begin({.queue = i, .acknowledge = std::min(queues_[i].pending, max_batch)});
    return std::nullopt;
}

void dispatcher::acknowledge_fewer(step& what, std::size_t acknowledge)
{
    queues_[what.queue].pending += what.acknowledge - acknowledge;
    what.acknowledge = acknowledge;
}

void dispatcher::ended(const step& done, std::size_t taken)
{
    auto& queue = queues_[done.queue];
    --queue.in_flight;
    queue.takes -= done.take != 0;
    queue.running -= done.take - taken;
    queue.taking -= done.take;
    occupied_ -= done.take - taken;
    running_ += taken;
    if (taken < done.take)
        queue.empty = true;
    queue.served -= queue.portion(done.take - taken);
}

void dispatcher::jobs_ready(std::size_t index)
{
    auto& queue = queues_[index];
    if (queue.empty) // it does not make up for the time in which it had nothing
        queue.served = std::max(queue.served, round_);
    queue.empty = false;
}

/// A step that has failed: everything is as before it.
void dispatcher::take_back(const step& done)
{
    auto& queue = queues_[done.queue];
    --queue.in_flight;
    queue.takes -= done.take != 0;
    queue.pending += done.acknowledge;
    queue.running -= done.take;
    queue.taking -= done.take;
    occupied_ -= done.take;
    queue.served -= queue.portion(done.take);
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

void dispatcher::handler_started(std::size_t index, time_point now)
{
    auto& queue = queues_[index];
    ++queue.started;
    ++started_;
    const bool others_wait = queue.running != queue.started + queue.taking;
    queue.observed.started(now, others_wait);
}

void dispatcher::handler_ended(std::size_t index, time_point since, time_point now)
{
    --queues_[index].started;
    --started_;
    queues_[index].observed.ended(since, now);
}

std::size_t dispatcher::excess(std::size_t index) const noexcept
{
    return minus(queues_[index].running, queues_[index].limits.concurrency);
}

void dispatcher::job_ended(std::size_t index, bool acknowledge)
{
    auto& queue = queues_[index];
    --queue.running;
    --occupied_;
    --running_;
    if (acknowledge)
        ++queue.pending;
}

bool dispatcher::is_settled() const noexcept
{
    return std::all_of(queues_.begin(), queues_.end(), [](const queue_state& queue) {
        const bool given_up = queue.not_before == time_point::max();
        return (queue.pending == 0 || given_up) && queue.in_flight == 0;
    });
}

} // namespace coworker::detail
