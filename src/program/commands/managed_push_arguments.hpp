// SPDX-License-Identifier: MIT
#pragma once

#include "program/options.hpp"

#include <coworker/managed_options.hpp>

#include <optional>
#include <string>
#include <vector>

namespace coworker::program {

/// The options of jobs that only managed queues know, as `push` and `schedules set` have them.
struct managed_push_arguments
{
    std::optional<double> priority;
    std::vector<std::string> tags;
    std::optional<double> retries;
    std::string timeout, expiry, retention, result_retention, backoff;
    std::vector<std::string> metadata, limits;
    std::string order_key, group, batch;
    std::vector<std::string> depends;
    std::string on_parent_failure;
    bool reads_parents = false;
    std::string unique_key, unique_until, unique_for, on_conflict;
    std::vector<std::string> unique_fields;
    bool unique = false;

    /// Whether there is any.
    bool is_given() const noexcept;
    /// Whether jobs are to be unique.
    bool makes_unique() const noexcept { return unique || !unique_key.empty() || !unique_fields.empty(); }
    /// @param command  such as "push", where help is
    /// @throws failure  where a value cannot be used
    managed_push_options read(const char* command) const;
};

/// @param given  lives until the command line has been read
/// @param of  what the descriptions begin with, such as "Managed: "
void add_managed_push_options(command_options& command, managed_push_arguments& given, const std::string& of);

/// Ends the command with `exit_code::usage`, and says where help is.
[[noreturn]] void refuse_push(const std::string& why);

} // namespace coworker::program
