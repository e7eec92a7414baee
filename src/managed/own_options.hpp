// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_details.hpp"
#include "coworker/managed_options.hpp"

#include <string>
#include <string_view>

/// Options of jobs that qless does not know: timeout, expiry, back-off, retention, metadata, batch, parents.
namespace coworker::detail {

bool has_own_options(const managed_push_options& options) noexcept;

/// @throws system_error  `errc::invalid_option`, or `errc::not_serializable` for what is not UTF-8
void check_own_options(const managed_push_options& options);

/// As JSON, as the scripts take them.
std::string own_options_text(const managed_push_options& options);

/// Reads the field `options` of a job: when it expires, or "-", and behind a blank the JSON.
void read_own_options(std::string_view stored, managed_details& into);

} // namespace coworker::detail
