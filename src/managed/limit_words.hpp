// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_options.hpp"
#include "managed/managed_call.hpp"

/// What scripts are told of limits, order keys and groups, and what they tell.
namespace coworker::detail {

/// The name of a limit: `errc::invalid_option`.
void check_limit_name(std::string_view name);
void check_limits(const limit_list& limits);
/// Limits, order key and group of a job that is pushed.
void check_limit_options(const managed_push_options& options);

/// Adds them to the arguments of `put`.
void add_limit_options(managed_call& call, const managed_push_options& options);

/// As the scripts take and tell them: [[name, units]...].
std::string limits_text(const limit_list& limits);
std::vector<limit_use> read_limit_uses(std::string_view text);

/// As `group_weight` tells them: [[group, weight]...].
std::vector<group_weight> read_group_weights(std::string_view text);

/// The answer of `limit_get`.
/// What scripts call it.
std::string_view word_of(hold_kind what) noexcept;

/// @throws system_error  where it cannot be held
void check_hold(const hold_target& what, std::chrono::milliseconds time);

std::vector<limit_state> read_limit_states(std::string_view text);

} // namespace coworker::detail
