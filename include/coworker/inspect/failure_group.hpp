#pragma once

#include "coworker/job.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coworker {

/// Failed jobs that say the same.
struct failure_group
{
    std::string group;   ///< of a managed queue; else empty
    std::string message; ///< the first line, at most 200 bytes of it; empty: none was recorded
    std::uint64_t count = 0;
    std::optional<timestamp> newest_at; ///< when the last of them failed, if that was recorded
    std::string newest_id;
};

/// Groups of failures, the largest first.
struct failure_page
{
    std::vector<failure_group> groups;
    std::string next; ///< the cursor to go on with: not all failed jobs were looked at
};

} // namespace coworker
