// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "list/keys.hpp"
#include "redis/connection/connection.hpp"

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::detail {

/// The arguments of one call of `submit`: jobs with options of their own, whose ids are remembered for the same time.
class submit_arguments
{
public:
    /// @param remember  how long ids are remembered; zero if none is
    submit_arguments(const list_keys& keys, std::chrono::milliseconds remember)
        : keys_{keys}, remember_{remember}
    {}

    /// @param id  the id to remember, or empty
    /// @param start  when the job may run, as `start_word` has it
    void add(std::string_view id, std::string_view start, std::string_view payload);

    /// Refers to the texts that were added.
    script_arguments words() const;

private:
    const list_keys& keys_;
    std::chrono::milliseconds remember_;
    std::vector<std::string_view> ids_, starts_, payloads_;
    bool later_ = false;
};

/// When a job may run, as an argument of `submit`; empty: now.
std::string start_word(const push_options& how);

/// Queues jobs in a list queue, in order, each by its own options: one script call for some of them.
///
/// @param results  the ids of the jobs; it is noted there which were pushed, and which are not confirmed
/// @par Errors  Throws `system_error`. Many jobs go in parts, and earlier parts stay queued.
asio::awaitable<void> submit(connection& redis, const list_keys& keys, std::span<const raw_push> jobs,
                             std::span<push_result> results);

/// Since the epoch; never earlier than `when`.
std::int64_t to_milliseconds(timestamp when);

} // namespace coworker::detail
