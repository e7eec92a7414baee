// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "coworker/job_progress.hpp"
#include "coworker/managed_job.hpp"

#include <optional>
#include <string>

namespace coworker {

/// How to wait for a job.
struct wait_options
{
    /// Cancel the job when the wait is cancelled, for example by `asio::cancel_after`. The worker that runs it is
    /// notified, and cancels its handler. A job that is complete, or that other jobs depend on, stays. The wait then
    /// ends when Redis has answered.
    bool cancel_job = false;
};

/// What is known of a job that may have ended.
struct job_status
{
    /// The job's state. Empty: its record is gone, and what is left of the job is its result.
    std::optional<managed_state> state;

    std::optional<raw_json> value;        ///< what its handler has returned, while it is kept
    std::optional<job_progress> progress; ///< how far it was when its handler last told
    std::string group;                    ///< the group of its failure; empty: none
    std::string message;                  ///< why it failed or was retried; empty: not recorded
};

} // namespace coworker
