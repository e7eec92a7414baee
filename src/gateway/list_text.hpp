// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/job_info.hpp"

#include <optional>
#include <string>
#include <string_view>

/// What is said of jobs of list queues, as JSON.
namespace coworker::detail {

/// With a key, to name it by in other requests.
std::string describe_list_job(const job_info& job);
/// The same with the state.
std::string describe_found_list_job(const job_info& job);

/// The inspector's key of a job in that state, from the key that was told. Empty: that of a job in another state.
/// Nothing: no key.
std::optional<std::string> read_job_key(std::string_view key, job_state state);

} // namespace coworker::detail
