// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_limits.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace coworker::detail {

/// What is to be held.
struct hold_submission
{
    hold_target what{};
    std::optional<std::chrono::milliseconds> time{}; ///< empty: it is only asked for
};

/// Exactly one of a queue, a limit and an order key, or a group with its queue; as they are given.
/// @throws refusal  if it is not
hold_target hold_of(std::string_view queue, std::string_view limit, std::string_view order_key,
                    std::string_view group);

/// Reads `{"limit": "api", "time": "30s"}`.
/// @throws refusal  where it cannot be used
hold_submission read_hold_submission(const std::string& json);

} // namespace coworker::detail
