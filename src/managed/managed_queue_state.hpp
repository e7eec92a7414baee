#pragma once

#include "coworker/managed_queue.hpp"
#include "job_ids.hpp"

namespace coworker {

struct managed_queue::state
{
    detail::job_ids ids;
};

} // namespace coworker
