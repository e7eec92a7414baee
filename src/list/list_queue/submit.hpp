// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "list/keys.hpp"
#include "list/list_queue/many_pushes.hpp"
#include "redis/connection/connection.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::detail {

/// What `submit` answers of a job for which there was no room.
inline constexpr std::int64_t submit_found_no_room = 2;

/// The arguments of one call of `submit`: jobs with options of their own, whose ids are remembered for the same time.
class submit_arguments
{
public:
    /// @param remember  how long ids are remembered; zero if none is
    /// @param most  how many jobs may wait; zero: any number
    submit_arguments(const list_keys& keys, std::chrono::milliseconds remember, std::uint64_t most)
        : keys_{keys}, remember_{remember}, most_{most}
    {}

    /// @param id  the id to remember, or empty
    /// @param start  when the job may run, as `start_word` has it
    void add(std::string_view id, std::string_view start, std::string_view payload);

    /// Refers to the texts that were added.
    script_arguments words() const;

private:
    const list_keys& keys_;
    std::chrono::milliseconds remember_;
    std::uint64_t most_;
    std::vector<std::string_view> ids_, starts_, payloads_;
    bool later_ = false;
};

/// When a job may run, as an argument of `submit`; empty: now.
std::string start_word(const push_options& how);

/// It need not be remembered, and it may run at once.
bool may_run_now(const push_options& how) noexcept;

/// An LPUSH does all that is asked for, and the id tells since when the job waits.
bool is_plain(const push_options& how);

/// How many of the first go in one call of `submit`.
std::size_t submitted_part(const many_pushes& all, push_places places);

/// Queues jobs by one call of `submit`, in order, each by its own options.
///
/// @param most  how many jobs may wait; zero: any number
/// @return  why they are not confirmed; null: they are
asio::awaitable<std::exception_ptr> submit(connection& redis, const list_keys& keys, std::uint64_t most,
                                           many_pushes& all, push_places places);

/// Notes of a job, in `refused` or `full`, whether that became of it.
void note(std::vector<char> many_pushes::*what, many_pushes& all, std::size_t place, bool became);

/// Since the epoch; never earlier than `when`.
std::int64_t to_milliseconds(timestamp when);

} // namespace coworker::detail
