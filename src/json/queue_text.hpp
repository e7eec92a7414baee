// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/failure_group.hpp"
#include "coworker/inspect/queue_history.hpp"
#include "coworker/inspect/queue_info.hpp"
#include "coworker/inspect/server_info.hpp"
#include "coworker/inspect/worker_info.hpp"
#include "coworker/managed_statistics.hpp"
#include "text/json_object.hpp"

#include <string_view>

/// Queues of both kinds, and those who work on them, as JSON.
namespace coworker::detail {

/// One of which nothing could be counted has no numbers that say something, and `unreachable`.
json_object describe(const queue_info& queue, json_for reader = json_for::programs);
json_object describe(const queue_totals& totals, json_for reader = json_for::programs);
json_object describe(const server_info& server, json_for reader = json_for::programs);
json_object describe(const queue_history& history, json_for reader = json_for::programs);
/// @param day  such as "2026-11-21"
json_object describe(const managed_statistics& statistics, std::string_view day,
                     json_for reader = json_for::programs);
json_object describe(const worker_info& worker, json_for reader = json_for::programs);
json_object describe(const failure_group& failures, json_for reader = json_for::programs);

} // namespace coworker::detail
