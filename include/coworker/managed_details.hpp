// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_source.hpp"

#include <string>
#include <vector>

namespace coworker {

/// What a managed queue knows of a job beside its data, as it was when the job was fetched.
/// Handlers get it with `context.details<managed_details>()`.
struct managed_details final : job_details
{
    std::string kind;              ///< the kind of job
    double priority = 0;           ///< larger runs first
    int retries = 0;               ///< how often the job may be retried altogether
    int remaining = 0;             ///< how often it may still be retried
    std::vector<std::string> tags; ///< in the order in which they were added
    std::string failure;           ///< the last failure as JSON; empty if there was none
    std::string spawned_from;      ///< jid of the recurring job that it comes from; else empty
};

} // namespace coworker
