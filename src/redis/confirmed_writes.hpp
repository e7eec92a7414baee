// SPDX-License-Identifier: MIT
#pragma once

#include "redis/confirmation.hpp"

#include <chrono>
#include <memory>
#include <optional>

namespace coworker::detail {

struct push_batch;

/// What a connection has that confirms each of its writes. There is one confirmation under way at a time, since Redis
/// carries out nothing else on a connection meanwhile: waits that stand in line would add up.
struct confirmed_writes
{
    explicit confirmed_writes(const durability& how) : wanted{how} {}

    durability wanted;
    bool is_under_way = false;
    std::weak_ptr<push_batch> last;                      ///< the latest batch of pushes that was sent
    std::optional<confirmation> means;                   ///< how this connection does it, once that is known
    std::chrono::steady_clock::time_point known_since{}; ///< when the connection began of which that is known
};

} // namespace coworker::detail
