// SPDX-License-Identifier: MIT
#pragma once

#include "program/commands/job_view.hpp"
#include "program/connection.hpp"

#include <coworker/managed_client.hpp>

#include <functional>
#include <optional>
#include <string>

namespace coworker::program {

/// A part of a list of jobs.
struct page
{
    std::size_t offset = 0, count = 25;
};

using job_taker = std::function<void(job_view)>;

/// Hands jobs of a queue that are in a state to `take`, a few at a time, so that large payloads neither fill the
/// memory nor make Redis drop the connection.
///
/// @throws failure  `exit_code::usage`: queues of this kind have no such state, or not so many can be seen.
asio::awaitable<void> visit_jobs(client& redis, const server_settings& server, const queue_ref& queue,
                                 const std::string& state, page part, const job_taker& take);

/// Hands failed jobs of managed queues to `take` until it returns false.
///
/// @param group  empty: all groups
/// @param queue  empty: all queues
asio::awaitable<void> visit_failed(managed_client& client, const std::string& group, const std::string& queue,
                                   const std::function<bool(managed_job&)>& take);

} // namespace coworker::program
