// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/job_info.hpp"

#include <map>
#include <string>
#include <string_view>

namespace coworker::detail {

/// A job as look.lua and search.lua show it, in four words.
struct shown_list_job
{
    std::string_view payload; ///< of a scheduled one the member; cut if it is too large
    std::size_t size = 0;
    std::string_view known, reason;
};

/// @param workers  names of connections by their numbers in the queue
job_info to_job(const shown_list_job& shown, const queue_ref& queue, job_state state,
                const std::map<std::string, std::string>& workers);

} // namespace coworker::detail
