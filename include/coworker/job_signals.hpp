// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_waits.hpp"

#include <optional>
#include <string>

namespace coworker {

/// The signals of a job of a managed queue, and what it has waited for.
struct job_signals
{
    /// An object in JSON: by the name of a signal, the list of those that came, oldest first. Empty: the job has never
    /// waited and got no signal.
    std::string received{};
    /// A list in JSON: the names of its sleeps that are over, and of the signals that did not come in time. Also the ids of
    /// jobs that did not end in time.
    std::string slept{};
    /// An object in JSON: by the id of a job that has ended, and for which it has waited, an object. Its `state` is
    /// "complete", "failed", "gone" or "not_found", and it may have a `result` or a `failure`.
    std::string ended_jobs{};
    /// What it sleeps for now, and until when.
    std::optional<job_wait> sleeps_for{};

    /// Whether it has ever waited or got a signal.
    bool any() const noexcept { return !received.empty(); }
};

} // namespace coworker
