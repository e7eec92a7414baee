// SPDX-License-Identifier: MIT
#pragma once

#include "program/options.hpp"

#include <coworker/managed_options.hpp>

#include <optional>
#include <string>
#include <vector>

namespace coworker::program {

/// The options of `push` that only managed queues know.
struct managed_push_arguments
{
    std::optional<double> priority;
    std::vector<std::string> tags;
    std::optional<double> retries;
    std::string timeout, expiry, retention, backoff;
    std::vector<std::string> metadata, limits;
    std::string order_key, group;
    std::string unique_key, unique_until, unique_for, on_conflict;
    std::vector<std::string> unique_fields;
    bool unique = false;

    /// Whether there is any.
    bool is_given() const noexcept;
    /// Whether jobs are to be unique.
    bool makes_unique() const noexcept { return unique || !unique_key.empty() || !unique_fields.empty(); }
    /// @throws failure  where a value cannot be used
    managed_push_options read() const;
};

/// @param given  lives until the command line has been read
void add_managed_push_options(command_options& command, managed_push_arguments& given);

/// Ends the command with `exit_code::usage`, and says where help is.
[[noreturn]] void refuse_push(const std::string& why);

} // namespace coworker::program
