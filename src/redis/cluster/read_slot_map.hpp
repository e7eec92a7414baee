// SPDX-License-Identifier: MIT
#pragma once

#include "redis/cluster/slot_map.hpp"
#include "redis/reply.hpp"

/// What the nodes of a cluster tell of it. Both throw `errc::unexpected_answer` for an answer of another shape.
namespace coworker::detail {

/// Reads the answer to `CLUSTER SHARDS`, of Redis 7 and newer.
///
/// @param asked  who answered: a node that announces no host of its own is reached where this one is.
/// @param over_tls  whether connections use TLS, for which nodes have another port.
slot_map read_shards(const reply::answer& shards, const node_address& asked, bool over_tls);

/// Reads the answer to `CLUSTER SLOTS`, whose ports are those for the kind of connection on which it was asked.
slot_map read_slots(const reply::answer& slots, const node_address& asked);

} // namespace coworker::detail
