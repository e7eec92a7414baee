// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_options.hpp"
#include "coworker/pushed_options.hpp"

#include <string>
#include <string_view>

/// Options of jobs that qless does not know: timeout, expiry, back-off, retention, metadata, batch, parents.
namespace coworker::detail {

/// @throws system_error  `errc::invalid_option`, or `errc::not_serializable` for what is not UTF-8
void check_own_options(const managed_push_options& options);

/// As a JSON object, as the scripts take them. Those that are not given are not there.
std::string own_options_text(const managed_push_options& options);

/// Reads what `own_options_text` wrote, but nothing of parents.
void read_given_options(std::string_view json, managed_push_options& into);

/// Reads the field `options` of a job: when it expires, or "-", and behind a blank the JSON.
void read_own_options(std::string_view stored, pushed_options& into);

} // namespace coworker::detail
