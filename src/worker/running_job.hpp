// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_context.hpp"
#include "coworker/job_source.hpp"
#include "worker/conclusion.hpp"
#include "worker/job_steps.hpp"
#include "worker/lease_table.hpp"
#include "worker/told_note.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace coworker::detail {

class queue_runner;
struct outside_run;

/// One coroutine that runs handlers, one after the other, and the means to end the one that runs.
struct handler_runner
{
    asio::cancellation_signal signal;
};

/// A job between being taken and being acknowledged. Kept in lists, between which it moves without being copied,
/// and used again for another job.
struct running_job : held_lease
{
    using clock = std::chrono::steady_clock;

    /// Makes it a new job.
    void begin(queue_runner& on, fetched_job&& what, clock::time_point leased, clock::time_point now,
               std::uint64_t taken_as)
    {
        static_cast<held_lease&>(*this) = held_lease{.since = leased, .length = what.lease_time};
        queue = &on;
        job = std::move(what);
        runner = nullptr;
        context_signal.reset();
        outside.reset();
        gathers.store(false, std::memory_order_relaxed);
        trace.reset();
        told_to_end.store(end_reason::none, std::memory_order_relaxed);
        limit_reason = end_reason::none;
        arrived = now;
        started = {};
        ended = {};
        has_ended = false;
        sends_log = false;
        noting = 0;
        repeated = false;
        reported_lost = false;
        note.reset();
        effects.reset();
        steps.reset();
        turns.reset();
        number = taken_as;
    }

    /// It is acknowledged, or lost. What is kept for the next job is not to hold this one's memory: a string that is
    /// assigned to would.
    void end()
    {
        const fetched_job old_job{std::move(job)};
        const outcome old_result{std::move(result)};
        context_signal.reset();
        outside.reset();
        note.reset();
        effects.reset();
        steps.reset();
        trace.reset();
        turns.reset();
    }

    queue_runner* queue = nullptr;
    fetched_job job;
    job_context context{*this};
    handler_runner* runner = nullptr;                        ///< while the handler runs as a coroutine
    std::optional<asio::cancellation_signal> context_signal; ///< for the handler's own use
    std::shared_ptr<outside_run> outside;                    ///< if the handler runs on another executor
    std::atomic<bool> gathers = false;    ///< it waits for others, with which it runs: see `many_options`
    std::unique_ptr<trace_context> trace; ///< if the handler has set it
    std::atomic<end_reason> told_to_end = end_reason::none; ///< which a handler may look at on any thread
    std::optional<asio::steady_timer> limit;                ///< time limit or deadline, whichever comes first
    std::shared_ptr<char> limit_token; ///< gone when the timer's end means nothing any more
    end_reason limit_reason = end_reason::none;
    clock::time_point arrived{};
    clock::time_point started{};
    clock::time_point ended{}; ///< set if anybody observes the worker
    std::list<running_job>::iterator position{};
    std::uint64_t number = 0; ///< jobs are numbered as they are taken

    std::unique_ptr<told_note> note; ///< if the handler has told something that is not stored
    std::size_t noted_at = 0;        ///< then: the job's place among those that have

    std::unique_ptr<job_effects>
        effects; ///< what is to be carried out with the acknowledgement, if the handler has asked

    std::unique_ptr<job_steps> steps; ///< if the handler has begun one

    /// How often this run has waited, by kind and name, if it has.
    std::unique_ptr<std::map<std::pair<wait_kind, std::string>, unsigned>> turns;

    bool has_ended = false; ///< the handler has; the job waits for a renewal's answer, or to be acknowledged
    bool sends_log = false; ///< lines of its log are on their way
    unsigned noting = 0;    ///< it has ended, and so many calls store its last lines: then it is acknowledged
    outcome result;         ///< what is to be stored
    bool repeated = false;  ///< an acknowledgement was sent before and not answered

    bool reported_lost = false; ///< Redis has said so; whether it is true is being asked
};

/// Whether its handler has been called and has not ended.
inline bool is_running(const running_job& job) noexcept
{
    return !job.has_ended && job.started != running_job::clock::time_point{};
}

/// Since when the job has been queued, by this machine's clock; nothing if its id does not tell.
std::optional<std::chrono::milliseconds> age_of(const fetched_job& job);

} // namespace coworker::detail
