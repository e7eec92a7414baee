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
           queue.running < queue.limits.concurrency;
}

bool dispatcher::can_take(const queue_state& queue) const noexcept
{
    return wants_jobs(queue) && queue.in_flight < max_in_flight && occupied_ < concurrency_;
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

/// How many jobs to take: of the free places those that are this queue's due, and at most half of all,
/// so that two calls can be under way.
std::size_t dispatcher::share(std::size_t index) const
{
    const auto& queue = queues_[index];
    std::size_t places = std::min(concurrency_ - occupied_, queue.limits.concurrency - queue.running);
    if (order_ != queue_order::strict) {
        std::size_t weights = 0;
        for (const auto& other : queues_)
            if (can_take(other))
                weights += other.limits.weight;
        places = std::min(
            places, std::max<std::size_t>(1, (concurrency_ - occupied_) * queue.limits.weight / weights));
    }
    const std::size_t half = std::max<std::size_t>(1, (concurrency_ + 1) / 2);
    return std::min({places, half, max_batch});
}

dispatcher::step dispatcher::begin(step what)
{
    auto& queue = queues_[what.queue];
    ++queue.in_flight;
    queue.takes += what.take != 0;
    queue.pending -= what.acknowledge;
    queue.running += what.take;
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
