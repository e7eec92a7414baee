// SPDX-License-Identifier: MIT
#pragma once

#include "redis/connection/connection.hpp"

namespace coworker::detail {

/// How long a monitor leads whose last round took so long, with such a pause behind it: for a whole round, also where
/// answers take long.
std::chrono::milliseconds term_of(std::chrono::milliseconds round, std::chrono::milliseconds pause) noexcept;

/// Makes `who` the leader that `key` names for the time `term`, unless there is another. Zero: `who` leads;
/// otherwise how long to wait before asking again.
asio::awaitable<std::chrono::milliseconds> take_lead(connection& redis, const std::string& key,
                                                     const std::string& who, std::chrono::milliseconds term);

/// Ends the term, if `who` leads, so that another one can begin. Waits as long as `command_timeout` says.
asio::awaitable<void> give_up_lead(connection& redis, const std::string& key, const std::string& who);

} // namespace coworker::detail
