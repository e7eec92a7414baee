// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coworker {

/// Failed jobs with the same message.
struct failure_group
{
    std::string group;                  ///< their group of failures, in a managed queue; else empty
    std::string message;                ///< the first line, at most 200 bytes of it; empty: none was recorded
    std::uint64_t count = 0;            ///< how many jobs
    std::optional<timestamp> newest_at; ///< when the newest of them failed, if that was recorded
    std::string newest_id;              ///< the id of the newest
};

/// Groups of failures, the largest first.
struct failure_page
{
    std::vector<failure_group> groups; ///< those found in this part
    std::string next;                  ///< the cursor to go on with; empty: this was the last part
};

} // namespace coworker
