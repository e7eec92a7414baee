// SPDX-License-Identifier: MIT
#pragma once

#include "redis/cluster/cluster_connection.hpp"

namespace coworker::detail {

/// The part of a cluster in one slot, for what has its keys there. It hears what happens to the connection to the
/// slot's node, and of another node that takes over the slot.
class slot_connection final : public cluster_connection
{
public:
    /// Use `cluster::part_of`.
    slot_connection(const cluster_connection& whole, std::uint16_t slot) : cluster_connection{whole, slot} {}

    bool has_just_moved() const noexcept override;
    bool is_away() const noexcept override { return away_; }

    /// There is no connection to this slot's node, and none could be made soon.
    void note_absence() noexcept { away_ = true; }
    /// Another node has the slot.
    void note_move();
    /// What happened to the connection to this slot's node.
    void hear(const event& what);
    /// It is a new one.
    void hear_new_connection();

private:
    std::atomic<bool> away_ = false;
    clock::time_point moved_at_ = clock::time_point::min();
};

} // namespace coworker::detail
