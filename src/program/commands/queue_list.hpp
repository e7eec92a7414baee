// SPDX-License-Identifier: MIT
#pragma once

#include "program/exit_code.hpp"
#include "program/queue_name.hpp"
#include "program/redis_access.hpp"

#include <coworker/inspector.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace coworker::program {

/// What looks at the queues that a command may name.
inspector inspect(const client& redis, const server_settings& server);

/// Nodes of a cluster that did not answer.
using node_set = std::set<std::string>;

/// The names of all list queues. Looks at every key of the database, in small steps. Adds to `missing`.
asio::awaitable<std::set<std::string>> list_queue_names(const inspector& all, node_set& missing);

/// All list queues, by name; behind them those that are known and of which nothing can be said. Adds to `missing`.
asio::awaitable<std::vector<queue_info>> list_queues(const inspector& all, node_set& missing);

/// All managed queues, the oldest first. Adds to `missing`.
asio::awaitable<std::vector<queue_info>> managed_queues(const inspector& all, node_set& missing);

/// Says so if nodes are missing: then what was shown is a part only.
exit_code judge_missing(const node_set& missing);

/// A queue; one that is not there is empty.
asio::awaitable<queue_info> look_at(const inspector& all, queue_ref queue);

/// How many jobs of a queue have failed. Those of managed queues are filed by group, so many are counted one by one.
asio::awaitable<std::uint64_t> count_failed(const inspector& all, const queue_info& queue);

/// Throws `failure` with `exit_code::not_found` if the queue does not exist.
asio::awaitable<void> expect_queue(const client& redis, const server_settings& server, queue_ref queue);
/// The same if one of them does not.
asio::awaitable<void> expect_queues(const client& redis, const server_settings& server,
                                    const std::vector<queue_ref>& queues);

} // namespace coworker::program
