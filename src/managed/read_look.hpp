// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_client.hpp"

#include <string_view>

/// What the managed queue's scripts show beside jobs, from JSON. Throw `errc::not_decodable`.
namespace coworker::detail {

managed_queue_counts read_queue(std::string_view json);
std::vector<managed_queue_counts> read_queues(std::string_view json);
std::vector<managed_worker_counts> read_workers(std::string_view json);
managed_worker_jobs read_worker(std::string_view json);
managed_statistics read_statistics(std::string_view json);
managed_page read_page(std::string_view json);
tracked_jobs read_tracked(std::string_view json);
std::vector<std::string> read_texts(std::string_view json);

/// Group to number of jobs.
std::map<std::string, std::uint64_t> read_failed_groups(std::string_view json);

/// Option to value, numbers as texts.
std::map<std::string, std::string> read_config(std::string_view json);

} // namespace coworker::detail
