// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "inspect/inspection.hpp"

#include <string>
#include <vector>

/// A list queue may be divided into partitions, which are list queues themselves: `{emails:0}`, `{emails:1}` and so on.
namespace coworker::detail {

/// The queues that hold the jobs of one. If it is divided, its partitions; on one server the first is the queue itself,
/// to which programs that know nothing of partitions push. If not, only itself.
using queue_parts = std::vector<queue_ref>;

/// Of each queue; none of one whose number of partitions is at a node that is missing, and was never seen. Costs one
/// request if one of them may be divided.
asio::awaitable<std::vector<queue_parts>> parts_of_each(shared_inspection self, survey& nodes,
                                                        std::vector<queue_ref> queues);
/// Of one. None for one that can have no jobs, in a cluster: it is neither divided nor in one slot.
asio::awaitable<queue_parts> parts_of(shared_inspection self, queue_ref queue);

bool is_divided(const queue_ref& queue, const queue_parts& parts) noexcept;

/// For each name of a list queue: that of the queue of which it is a partition; else the same name. Costs one request
/// if one of them looks like a partition.
asio::awaitable<std::vector<std::string>> whole_queues(shared_inspection self, survey& nodes,
                                                       std::vector<std::string> names);

/// Removes the number of partitions of a queue that is deleted.
asio::awaitable<void> forget_partitions(shared_inspection self, std::string queue);

} // namespace coworker::detail
