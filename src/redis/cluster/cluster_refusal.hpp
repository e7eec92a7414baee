// SPDX-License-Identifier: MIT
#pragma once

#include "redis/cluster/slot_map.hpp"

#include <optional>
#include <string_view>

namespace coworker::detail {

/// Why a node of a cluster did not carry out a command, as far as another attempt may help.
struct cluster_refusal
{
    enum class reason
    {
        moved,     ///< another node serves the slot
        asks,      ///< the slot is on its way to another node, which is to be asked this time
        try_again, ///< the slot is on its way, and the command's keys are in two places at the moment
        down,      ///< nobody serves the slot at the moment, or the node starts
        read_only, ///< the node accepts no writes: it has become a replica, or lost its replicas
    };

    reason why;
    std::uint16_t slot = 0; ///< of `moved` and `asks`
    node_address where{};   ///< the same; no host: the node did not know
};

/// Reads an error that `asked` answered. None: it is none of these; the command itself is wrong, or was carried out in
/// part.
std::optional<cluster_refusal> read_refusal(std::string_view error, const node_address& asked);

} // namespace coworker::detail
