// SPDX-License-Identifier: MIT
#pragma once

#include "redis/cluster/slot_map.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace coworker::detail {

/// What a node says of its cluster, and how well it knows.
struct cluster_view
{
    slot_map slots;
    bool is_well = true;     ///< false: it misses the others, or some slots are served by nobody
    std::uint64_t epoch = 0; ///< of the whole cluster, which grows with each failover; 0: it does not tell
};

/// Reads the answer to `CLUSTER INFO`. What it does not tell stays as it is.
void read_info(std::string_view info, cluster_view& to);

/// Chooses whom to believe. A node that is cut from the others, or has been frozen for a while, does not know that
/// another one has taken over its slots, and says that they are its own.
class view_choice
{
public:
    /// @param epoch  of what was believed last.
    explicit view_choice(std::uint64_t epoch) noexcept : epoch_{epoch} {}

    void offer(cluster_view view);

    /// Nobody else needs to be asked.
    bool is_certain() const noexcept;

    /// The best one of those that have been offered.
    const std::optional<cluster_view>& best() const noexcept { return best_; }

private:
    std::uint64_t epoch_;
    std::optional<cluster_view> best_;
};

} // namespace coworker::detail
