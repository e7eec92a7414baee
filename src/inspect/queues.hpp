// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"
#include "coworker/inspect/queue_info.hpp"
#include "inspect/inspection.hpp"

#include <vector>

/// Queues as an inspector sees them.
namespace coworker::detail {

asio::awaitable<queue_page> show_queues(shared_inspection self, queue_kind kind, std::string cursor,
                                        std::size_t count);
asio::awaitable<std::vector<queue_info>> show_named_queues(shared_inspection self,
                                                           std::vector<queue_ref> queues);
/// Whether the node of all managed queues is not missing.
asio::awaitable<bool> has_managed_node(shared_inspection self, survey& nodes);
/// Each by itself; none if the queue is not divided. What is pushed to the queue itself is in none of them.
asio::awaitable<std::vector<queue_info>> show_partitions(shared_inspection self, queue_ref queue);
asio::awaitable<queue_names> list_queue_names(shared_inspection self, survey& nodes, std::string cursor,
                                              std::size_t count);
/// Of list queues, partitions and all. If the node that has these names is missing, those that stand in a bounded number
/// of keys of the others.
asio::awaitable<std::vector<std::string>> all_known_names(survey& nodes);
asio::awaitable<queue_names> discover_list_queues(shared_inspection self, std::string cursor);
asio::awaitable<result<queue_info>> show_queue(shared_inspection self, queue_ref queue);
asio::awaitable<void> set_paused(shared_inspection self, queue_ref queue, bool paused, bool delays);

/// Throws `errc::invalid_queue_name`.
void check_queue(const queue_ref& queue);

/// Whether the queue is known, or holds anything.
asio::awaitable<bool> queue_exists(shared_inspection self, queue_ref queue);

} // namespace coworker::detail
