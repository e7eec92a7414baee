// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "coworker/managed_client.hpp"
#include "redis/connection.hpp"

#include <optional>
#include <string>
#include <vector>

/// What the gateway needs to see of managed queues beside what `managed_queue` and `managed_client` show.
namespace coworker::detail {

/// Jids of waiting jobs, next to run first. Unlike `managed_queue::peek` from any offset on, and without changing
/// anything.
asio::awaitable<std::vector<std::string>>
waiting_jids(connection& redis, std::string prefix, std::string queue, std::size_t offset, std::size_t count);

/// What the counters of queues say.
struct day_counts
{
    std::uint64_t completed = 0, retries = 0, lost_locks = 0, failures = 0;
};

/// The key that counts the retries of a day (UTC), by queues.
std::string retries_key(const std::string& prefix, timestamp day);

/// Of the day (UTC) in which `day` lies; a part of what `managed_queue::statistics` shows, of many queues at once.
asio::awaitable<std::vector<day_counts>> count_day(connection& redis, std::string prefix,
                                                   std::vector<std::string> queues, timestamp day);

/// For how long the job that is next to run could have run, for each queue; zero if none waits. It counts from when
/// the job was put, a delay was over (and a client looked), or it came back; not what was before.
asio::awaitable<std::vector<std::chrono::microseconds>>
waiting_times(connection& redis, std::string prefix, std::vector<std::string> queues, timestamp now);

/// The workers that `managed_client::workers` tells, but for those of coworker's that have no connection any more and
/// hold nothing: they were killed while they were idle.
asio::awaitable<std::vector<managed_worker_counts>> present_workers(connection& redis, std::string prefix);

/// Puts a failed job into its queue again, as it is, if it still is failed. False: it is not, or failed in another
/// queue than `wanted`, if one is named. Nothing: there is no such job.
asio::awaitable<std::optional<bool>> retry_failed(connection& redis, std::string prefix, std::string worker,
                                                  std::string jid, std::string wanted = {});

} // namespace coworker::detail
