// SPDX-License-Identifier: MIT
#include "worker/running_job.hpp"

namespace coworker::detail {

std::optional<std::chrono::milliseconds> age_of(const fetched_job& job)
{
    const auto queued = queued_at(job.id());
    if (!queued)
        return std::nullopt;
    using std::chrono::milliseconds; // ids may name times that nanoseconds cannot
    return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()) -
           std::chrono::floor<milliseconds>(*queued);
}

} // namespace coworker::detail
