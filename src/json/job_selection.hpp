// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/job_filter.hpp"

#include <string>
#include <vector>

/// Which jobs a request means to act on.
namespace coworker::detail {

/// One of three: keys, ids, or all those that match.
struct job_selection
{
    std::vector<std::string> keys{}; ///< the inspector's, of jobs of a list queue
    std::vector<std::string> ids{};  ///< each once
    bool all = false;                ///< those that match
    bool has_state = false;          ///< it says which state they are in; otherwise they have failed
    bool is_whole_state = false;     ///< all in a state; nothing else is asked of them
    job_filter which{};
};

/// Reads {"keys": ["…"]}, {"ids": ["…"]} or {"all": true, "state": "…"}, the last also with other members of
/// `job_filter`, for jobs of a queue.
/// @throws refusal
job_selection read_selection(std::string_view body);

/// Reads {"ids": ["…"]}, {"all": true, "group": "…"} or {"all": true, "batch": "…"}, for jobs of all managed queues.
/// @throws refusal
job_selection read_selection_anywhere(std::string_view body);

} // namespace coworker::detail
