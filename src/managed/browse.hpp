// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "redis/connection/connection.hpp"

#include <string>
#include <vector>

/// What the inspector needs to see of managed queues beside what `managed_queue` and `managed_client` show.
namespace coworker::detail {

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

} // namespace coworker::detail
