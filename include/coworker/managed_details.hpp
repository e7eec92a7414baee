#pragma once

#include "coworker/job_source.hpp"

#include <string>
#include <vector>

namespace coworker {

/// What a managed queue knows of a job beside its data, as it was when the job was taken.
/// Handlers get it with `context.details<managed_details>()`.
struct managed_details final : job_details
{
    std::string klass;
    double priority = 0; ///< larger runs first
    int retries = 0;     ///< how often the job may be retried
    int remaining = 0;   ///< how often it may still be
    std::vector<std::string> tags;
    std::string failure;      ///< the last failure as JSON; empty if there was none
    std::string spawned_from; ///< the recurring job that made this one; empty if none did
};

} // namespace coworker
