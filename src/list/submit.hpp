// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "list/keys.hpp"
#include "redis/connection.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coworker::detail {

/// Queues jobs in a list queue, in order, each by its own options: one script call for some of them.
///
/// @param results  the ids of the jobs; it is noted there which were pushed
/// @par Errors  Throws `system_error`. Many jobs go in parts, and earlier parts stay queued.
asio::awaitable<void> submit(connection& redis, const list_keys& keys, std::span<const raw_push> jobs,
                             std::span<push_result> results);

/// Since the epoch; never earlier than `when`.
std::int64_t to_milliseconds(timestamp when);

} // namespace coworker::detail
