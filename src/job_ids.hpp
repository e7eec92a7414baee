// SPDX-License-Identifier: MIT
#pragma once

#include "bounds.hpp"
#include "text/utf8.hpp"

#include <string>
#include <string_view>

namespace coworker::detail {

/// Checks an id, or a name, given by a caller: UTF-8, 1 to 256 bytes.
inline bool is_valid_name(std::string_view name) noexcept
{
    return !name.empty() && name.size() <= max_name && is_utf8(name);
}

/// The id of a new job: a UUID of version 7, with dashes, later than all that this process has drawn before. Any thread
/// may call it.
std::string new_job_id();

} // namespace coworker::detail
