// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/job_info.hpp"
#include "inspect/inspection.hpp"

namespace coworker::detail {

/// Where a page of a list queue's jobs begins. Cursors stay where they are while jobs come and go: of failed jobs they
/// count the older ones, of scheduled ones they hold the time, and for what Redis scans they are its own. Of waiting
/// jobs they count those that are next to run.
struct list_position
{
    job_state state = job_state::waiting;
    std::uint64_t offset = 0; ///< for look.lua
    std::uint64_t total = 0;  ///< of failed jobs: how many there are
    std::string due;          ///< of scheduled jobs: the time that the cursor holds
    std::uint64_t same = 0;   ///< how many of those that are due then have been shown

    /// The cursor behind a page that has `seen` jobs.
    std::string after(std::string_view answered, std::size_t seen, const std::vector<job_info>& jobs) const;
};

asio::awaitable<list_position> find_position(shared_inspection self, std::string key, job_state state,
                                             std::string cursor);

} // namespace coworker::detail
