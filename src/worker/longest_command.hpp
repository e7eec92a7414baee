// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/option_duration.hpp"
#include "coworker/source_connection.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

namespace coworker::detail {

/// How long a call of any of these connections may take, some of which may be null. Zero: for ever. Ten seconds if there
/// is none.
inline std::chrono::milliseconds
longest_command(const std::vector<std::shared_ptr<source_connection>>& connections)
{
    std::chrono::milliseconds longest{0};
    for (const auto& each : connections) {
        if (!each)
            continue;
        const option_duration limit = each->command_timeout();
        if (limit.count() == 0)
            return limit;
        longest = std::max<std::chrono::milliseconds>(longest, limit);
    }
    return longest.count() == 0 ? std::chrono::seconds{10} : longest;
}

} // namespace coworker::detail
