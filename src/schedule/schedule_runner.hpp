// SPDX-License-Identifier: MIT
#pragma once

#include "redis/poll_schedule.hpp"
#include "schedule/schedule_place.hpp"
#include "schedule/turn.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coworker::detail {

/// Pushes the jobs of the schedules of one place. Any number of processes do this beside each other: a script lets
/// only the first one pass that names the time at which a schedule is due.
class schedule_runner
{
public:
    explicit schedule_runner(std::shared_ptr<const schedule_place> place);

    /// Names the place.
    const std::string& key() const noexcept { return place_->keys[1]; }

    /// Waits until a schedule is due, and pushes what it owes. Terminal cancellation.
    asio::awaitable<void> run_due();

private:
    using clock = std::chrono::steady_clock;

    /// What is sent of a schedule that is due.
    struct firing
    {
        std::string name;
        std::vector<std::string> words;
    };

    asio::awaitable<void> fire(const std::vector<firing>& due);
    std::optional<firing> decide(const reply::answer& words, std::size_t first, std::chrono::sys_seconds now);

    std::shared_ptr<const schedule_place> place_;
    std::shared_ptr<connection> redis_;
    key_watch watch_;
    poll_schedule polls_;
};

} // namespace coworker::detail
