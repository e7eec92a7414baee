// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_job.hpp"

#include <string>
#include <vector>

namespace coworker {

/// A recurring job, and when it is due next.
struct schedule_info
{
    recurring_job job;    ///< the recurring job
    timestamp next_run{}; ///< when its next job is due
};

/// A part of the schedules of a queue, the next due first.
struct schedule_page
{
    std::vector<schedule_info> schedules; ///< the schedules of this part
    std::string next;                     ///< the cursor to go on with; empty: this was the last part
};

} // namespace coworker
