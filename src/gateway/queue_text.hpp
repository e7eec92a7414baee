// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/failure_group.hpp"
#include "coworker/inspect/queue_history.hpp"
#include "coworker/inspect/queue_info.hpp"
#include "coworker/inspect/worker_info.hpp"

#include <string>

/// What is said of queues of both kinds and of those who work on them, as JSON.
namespace coworker::detail {

std::string describe_list_queue(const queue_info& queue);
std::string describe_managed_queue(const queue_info& queue);
std::string describe(const queue_history& history);
std::string describe(const worker_info& worker);
std::string describe(const failure_group& failures);

} // namespace coworker::detail
