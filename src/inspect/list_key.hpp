// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/job_info.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace coworker::detail {

/// The key of a job of a list queue: a letter for the state, and the payload, of a scheduled one the member.
std::string make_list_key(job_state state, std::string_view payload);

/// Reads it; nothing for any other text. `payload` is a part of the key.
struct list_key_parts
{
    job_state state;
    std::string_view payload;
};
std::optional<list_key_parts> split_list_key(std::string_view key) noexcept;

} // namespace coworker::detail
