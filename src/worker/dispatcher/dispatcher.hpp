// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/worker.hpp"
#include "worker/pace.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace coworker::detail {

/// Decides which queue a worker turns to next, how many jobs it takes there, which outcomes go along, and whether a
/// handler may be called. Knows numbers and times only; the worker's coroutines carry the decisions out.
///
/// A worker takes as many jobs as it has places for. Of a queue whose handlers end soon it takes more (see `pace`):
/// these wait for a place.
class dispatcher
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    struct queue_limits
    {
        std::size_t concurrency; ///< jobs of this queue at the same time
        unsigned weight = 1;
    };

    /// Queues that are parts of one: they share its limits, its place in the order, and what was observed of its
    /// handlers. A queue that has no parts is a group of its own.
    using group_index = std::size_t;

    /// One call to a source.
    struct step
    {
        std::size_t queue = 0;
        std::size_t acknowledge = 0;
        std::size_t take = 0;
        bool reconcile = false; ///< nothing of the above: look for leases that an unanswered call left
        std::size_t lent = 0;   ///< `queue_state::lent` at its begin
    };

    /// With queues that may have jobs.
    dispatcher(queue_order order, std::size_t concurrency, std::vector<queue_limits> queues);
    /// Before the first step. Queues are numbered as they are added, and so are groups. Nothing is taken from them
    /// until `jobs_ready`.
    void add_queue(queue_limits limits);
    /// Adds a further part of a queue, at any time, in the same way. Returns its number.
    std::size_t add_part(std::size_t queue);
    group_index group_of(std::size_t queue) const noexcept { return queues_[queue].group; }

    /// The next step, for which places are kept free until it has ended, or is late; nothing if there is none now.
    std::optional<step> next(time_point now);

    /// Whether places of one queue are kept free by a call that has not ended, which other queues could use.
    bool keeps_places() const noexcept;
    /// To be called from time to time while that is so. A queue of which no call has ended since the last time, though
    /// one that takes jobs was under way, lends its places to the others. What such a call takes in the end waits for
    /// places, or goes back to its queue.
    void look_for_late_calls();

    /// The step acknowledges fewer outcomes than was said; the others are for a next one.
    void acknowledge_fewer(step& what, std::size_t acknowledge);

    /// The step has ended with `taken` jobs, which are to be started; so many still wait there, as far as is known.
    void ended(const step& done, std::size_t taken, std::size_t waiting = 0);
    /// The step was refused: its outcomes are still to be acknowledged. Its queue rests until `not_before`, so that the
    /// others do not wait for it. `time_point::max()`: it is given up, with its outcomes.
    void refused(const step& done, time_point not_before);
    /// Whether the step was carried out is unknown: its outcomes are still to be acknowledged.
    void in_doubt(const step& done);
    /// The queue's connection is a new one, perhaps to another server: what it knows of leases is to be compared.
    void connected_again(std::size_t queue);
    /// A reconciliation has ended well.
    void reconciled(const step& done);

    /// Whether the worker has a place for one more handler, and whether this group has.
    bool has_place() const noexcept { return started_ < concurrency_; }
    bool has_place(group_index which) const noexcept
    {
        return groups_[which].started < groups_[which].limits.concurrency;
    }
    /// A handler is called.
    void handler_started(std::size_t queue, time_point now);
    /// A handler that was called at `since` has ended.
    void handler_ended(std::size_t queue, time_point since, time_point now);
    /// What was observed of the queue's handlers and calls.
    pace& pace_of(std::size_t queue) { return groups_[group_of(queue)].observed; }
    /// How many of the jobs that wait are more than there are places, when nobody knows when a handler ends.
    std::size_t excess() const noexcept { return running_ - std::min(running_, concurrency_); }
    std::size_t excess(group_index which) const noexcept;

    /// A job has ended; `acknowledge`: its outcome is to be stored.
    void job_ended(std::size_t queue, bool acknowledge);
    /// An outcome of a job that had ended before can be stored now.
    void outcome_ready(std::size_t queue) { ++queues_[queue].pending; }

    /// A queue in which nothing was found is left alone until this is called.
    void jobs_ready(std::size_t queue);
    bool is_empty(std::size_t queue) const { return queues_[queue].empty; }

    void stop_taking() noexcept { taking_ = false; }

    std::size_t running() const noexcept { return running_; }
    /// No outcome is left to be acknowledged and no call under way.
    bool is_settled() const noexcept;

private:
    /// How long outcomes of a part of a queue may wait for others, or for a call that takes jobs.
    static constexpr std::chrono::milliseconds moment{5};
    /// The turn of a part where handlers end soon, in calls that take jobs: the outcomes of the last two need calls of
    /// their own, so a turn that ended after some time would be short, and costly, where calls take long.
    static constexpr int calls_in_turn = 32;
    static constexpr std::chrono::milliseconds longest_turn{50};

    struct group_state
    {
        queue_limits limits;
        std::size_t running = 0; ///< jobs running or waiting for a place, and those being taken
        std::size_t started = 0; ///< of these, those whose handlers run
        std::size_t taking = 0;  ///< and those being taken
        double served = 0;       ///< jobs taken, and being taken, per weight: the least served group is next
        double round = 0;        ///< `served` of the part that was chosen last
        std::size_t turn = 0;    ///< the part whose turn it is
        int calls_left = 0;      ///< of that turn
        time_point turn_ends{};
        std::optional<std::size_t> next_turn; ///< and the one that further calls go to meanwhile
        pace observed;
        std::size_t calls = 0;   ///< to its parts that are under way and not late; for the present call
        bool quick = false;      ///< its handlers end soon
        std::size_t ahead = 0;   ///< how many more jobs it may have than there are places
        bool wants_jobs = false; ///< one of its parts does; for the present call
        bool can_take = false;   ///< the same

        double portion(std::size_t jobs) const noexcept { return static_cast<double>(jobs) / limits.weight; }
    };

    struct queue_state
    {
        group_index group;
        std::size_t held = 0;                         ///< jobs of it that have not ended
        std::size_t pending = 0;                      ///< outcomes to be acknowledged
        time_point pending_since = time_point::max(); ///< as far as was looked; `max()`: there are none
        std::size_t in_flight = 0;
        std::size_t takes = 0;   ///< of these, calls that take jobs
        std::size_t kept = 0;    ///< places kept free for these
        std::size_t lent = 0;    ///< how often such places were lent to others, as the calls were late
        std::size_t likely;      ///< how many jobs a call may find, to judge by the last ones
        std::size_t waiting = 0; ///< jobs there after the last call that took some, as far as is known
        double weight = 1;       ///< among the parts of its group, by what waits, when it was chosen last
        double served = 0;       ///< jobs taken, and being taken, per weight: the least served part is next
        bool empty = false;
        bool quiet = false;    ///< no call has ended since the last look for late ones
        bool late = false;     ///< until a call is answered, a single job is asked for
        bool in_doubt = false; ///< an unanswered call may have left leases
        bool resting = false;  ///< left alone until `not_before`
        time_point not_before{};

        /// Its calls are late: nothing more is asked of it until one of them ends.
        bool is_silent() const noexcept { return late && takes != 0; }
    };

    void look_ahead(time_point now);
    void look_at_groups(time_point now);
    bool wants_jobs(const queue_state& queue) const noexcept;
    std::size_t room_for(const group_state& group) const noexcept;
    static std::size_t own_room(const group_state& group) noexcept;
    bool is_worth_a_call(const group_state& group, std::size_t jobs) const noexcept;
    bool can_take(const queue_state& queue) const noexcept;
    bool is_called_soon(std::size_t part) const noexcept;
    bool can_settle(std::size_t which, time_point now) const noexcept;
    double lead() const;
    std::optional<group_index> group_to_take_from() const;
    std::size_t least_served_part(group_index which) const;
    std::size_t part_to_take_from(group_index which, time_point now);
    double weight_of(const queue_state& part) const;
    std::size_t share(group_index which) const;
    std::size_t to_ask_for(const queue_state& queue) const;
    step begin(step what);
    void keep_places(queue_state& queue, std::size_t places);
    void leave_places(queue_state& queue, std::size_t places);
    void end_call(const step& done, std::size_t taken);
    void take_back(const step& done);
    void catch_up(queue_state& queue);
    void end_rests(time_point now);

    queue_order order_;
    std::size_t concurrency_;
    std::vector<group_state> groups_;
    std::vector<queue_state> queues_;
    std::size_t running_ = 0;  ///< jobs running or waiting for a place
    std::size_t occupied_ = 0; ///< with those being taken
    std::size_t slow_ = 0;     ///< of these, those of queues whose handlers may run for long
    std::size_t started_ = 0;  ///< handlers that run
    double round_ = 0;         ///< `served` of the group whose turn it was last
    bool taking_ = true;
};

} // namespace coworker::detail
