#pragma once

#include "coworker/job.hpp"
#include "redis/client.hpp"

#include <optional>
#include <string>
#include <vector>

/// What the gateway needs to see of managed queues beside what `managed_queue` and `managed_client` show.
namespace coworker::detail {

/// Whether anything was ever put into a queue of that name, unless it was forgotten.
asio::awaitable<bool> is_known_queue(client& redis, std::string prefix, std::string name);

/// Jids of waiting jobs, next to run first. Unlike `managed_queue::peek` from any offset on, and without changing
/// anything.
asio::awaitable<std::vector<std::string>> waiting_jids(client& redis, std::string prefix, std::string queue,
                                                       std::size_t offset, std::size_t count);

/// What the counters of queues say.
struct day_counts
{
    std::uint64_t completed = 0, retries = 0, failures = 0;
};

/// Of the day (UTC) in which `day` lies; a part of what `managed_queue::statistics` shows, of many queues at once.
asio::awaitable<std::vector<day_counts>> count_day(client& redis, std::string prefix,
                                                   std::vector<std::string> queues, timestamp day);

/// How long the job that is next to run has been waiting, for each queue; zero if none is. That it was delayed
/// before does not count.
asio::awaitable<std::vector<std::chrono::microseconds>>
waiting_times(client& redis, std::string prefix, std::vector<std::string> queues, timestamp now);

/// Puts a failed job into its queue again, as it is, if it still is failed. False: it is not, or failed in another
/// queue than `wanted`, if one is named. Nothing: there is no such job.
asio::awaitable<std::optional<bool>> retry_failed(client& redis, std::string prefix, std::string worker,
                                                  std::string jid, std::string wanted = {});

} // namespace coworker::detail
