// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_history.hpp"
#include "coworker/inspect/queue_ref.hpp"
#include "inspect/inspection.hpp"

#include <optional>
#include <string_view>
#include <vector>

/// What became of jobs lately, as the monitors have noted it.
namespace coworker::detail {

asio::awaitable<queue_history> show_history(shared_inspection self, queue_ref queue,
                                            std::chrono::minutes span);

/// Of these together.
asio::awaitable<queue_history> show_total_history(shared_inspection self, std::vector<queue_ref> queues,
                                                  std::chrono::minutes span);

/// `queue_info::rates` of each.
asio::awaitable<std::vector<jobs_per_minute>> recent_rates(shared_inspection self, survey& nodes,
                                                           std::vector<queue_ref> queues);

/// A minute as it stands in Redis; nothing for another text.
std::optional<minute_counts> read_minute(std::string_view entry);

} // namespace coworker::detail
