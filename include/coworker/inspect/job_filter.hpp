// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/job_info.hpp"
#include "coworker/text.hpp"
#include "coworker/timestamp.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace coworker {

/// Selects jobs of a queue. A job has to match all members that are given; empty ones match all jobs.
struct job_filter
{
    job_state state = job_state::failed; ///< the state of the jobs
    text_list ids{};                     ///< the job has one of these ids
    /// The job contains this text: in its payload as it is in Redis, in a managed queue in its id, kind or data.
    text contains{};
    /// Why it failed or is broken: the first line, at most 200 bytes of it, as in `failure_group::message`.
    text message{};
    text group{};  ///< the job's group of failures; managed queues only
    text tag{};    ///< the job has this tag; managed queues only
    text worker{}; ///< the worker that has the job, as `worker_info::name` says; it is running, or stalled
    text kind{};   ///< the kind of job; managed queues only
    text batch{};  ///< the batch that the job belongs to; managed queues only

    /// From this time on, by Redis' clock. Which time of a job counts depends on its state:
    ///  - failed: when it failed
    ///  - broken: when it was found to be broken
    ///  - complete: when it was completed
    ///  - scheduled: when it is due
    ///  - running, stalled: when it was fetched
    ///  - any other: when it was pushed
    ///
    /// A waiting job of a list queue has the time of its push in its id. If the id is no version 7 UUID, the job does
    /// not match.
    std::optional<timestamp> since{};
    std::optional<timestamp> until{}; ///< before this time; otherwise as `since`
};

/// What can be done to jobs.
enum class job_action
{
    /// Queue a failed or broken job again, behind all waiting jobs. Its attempts are counted anew.
    retry,
    /// Delete a job. A running one can be deleted in a managed queue only: its worker is notified, and cancels its
    /// handler.
    remove,
    /// Let a scheduled job run without further delay, behind the waiting jobs, or by its priority.
    run_now,
    /// Take a running job from its worker, which cancels it. It runs again before all waiting jobs. Managed queues
    /// only.
    release,
    /// Cancel a running job: its worker is notified, and cancels the handler; how that ends no longer counts. In a list
    /// queue the job is failed from then on, with the message `cancelled`, and can be retried. One that a program with
    /// hworker runs is refused, since it would not notice. In a managed queue this is `remove`: the job is gone, in
    /// whatever state it was.
    cancel,
};

/// What became of a job that was to be acted on.
enum class action_result
{
    done,        ///< the action was carried out
    not_found,   ///< there is no such job in that state; it may have moved on
    refused,     ///< this action is not possible for a job in that state
    depended_on, ///< jobs wait for it that were not named
};

/// What was done in one part of the jobs.
struct bulk_result
{
    /// The ids of the jobs that were acted on. An empty text stands for a payload whose id has escapes, or none.
    std::vector<std::string> ids;
    std::size_t refused = 0; ///< how many match and cannot be acted on, such as jobs that others wait for
    std::string next;        ///< the cursor to go on with; empty: this was the last part
};

} // namespace coworker
