#pragma once

#include "coworker/managed_job.hpp"

#include <string>
#include <vector>

namespace coworker {

/// A recurring job, with when the next job is spawned from it.
struct schedule_info
{
    recurring_job job;
    timestamp next_run{};
};

/// A part of the schedules of a queue, the next due first.
struct schedule_page
{
    std::vector<schedule_info> schedules;
    std::string next; ///< the cursor to go on with; empty: this was the last part
};

} // namespace coworker
