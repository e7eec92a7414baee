// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "redis/address.hpp"
#include "redis/cluster/slot_map.hpp"

namespace coworker::detail {

/// How to connect to a node of a cluster: as the cluster's options say, with the scheme and the user of its URL.
client_options options_of_node(const client_options& cluster, const address& seed, const node_address& node);

} // namespace coworker::detail
