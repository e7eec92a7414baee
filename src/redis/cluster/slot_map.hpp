// SPDX-License-Identifier: MIT
#pragma once

#include "redis/cluster/key_slot.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coworker::detail {

/// Where a node of a cluster is reached.
struct node_address
{
    std::string host;
    std::string port;

    auto operator<=>(const node_address&) const = default;
};

/// Which primary serves each slot of a cluster, as one of its nodes told.
class slot_map
{
public:
    /// Null: nobody is known to serve it.
    const node_address* owner(std::uint16_t slot) const noexcept;

    /// The slots from `first` to `last` are served there. Both are below `slot_count`.
    void assign(std::uint16_t first, std::uint16_t last, const node_address& where);

    /// Gives the slots that nobody serves here to those who served them `before`. So calls wait for a node that may
    /// come back, and not for nobody.
    void keep_missing(const slot_map& before);

    bool is_complete() const noexcept { return served() == slot_count; }
    /// How many slots somebody serves.
    std::size_t served() const noexcept;

    /// Those who serve slots, each once.
    std::vector<node_address> primaries() const;

private:
    std::vector<std::uint16_t> owners_; ///< of each slot, counted from 1; 0: nobody. Empty at first
    std::vector<node_address> nodes_;
};

} // namespace coworker::detail
