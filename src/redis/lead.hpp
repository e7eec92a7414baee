// SPDX-License-Identifier: MIT
#pragma once

#include "redis/connection/connection.hpp"

namespace coworker::detail {

/// How long a monitor leads whose last round took so long, with such a pause behind it: for a whole round, also where
/// answers take long.
std::chrono::milliseconds term_of(std::chrono::milliseconds round, std::chrono::milliseconds pause) noexcept;

/// Who leads, as one of those has learned who would.
struct leadership
{
    std::chrono::milliseconds left{0}; ///< of the term of another one; zero: this one leads
    std::chrono::milliseconds soon{0}; ///< after which to look whether that is still connected

    bool is_own() const noexcept { return left.count() == 0; }
};

/// Makes `who` the leader that `key` names for the time `term`, unless there is another that is connected. `workers`: the
/// key that holds all who may lead.
asio::awaitable<leadership> take_lead(connection& redis, const std::string& key, const std::string& workers,
                                      const std::string& who, std::chrono::milliseconds term);

/// Ends the term, if `who` leads, so that another one can begin. Waits as long as `command_timeout` says.
asio::awaitable<void> give_up_lead(connection& redis, const std::string& key, const std::string& who);

} // namespace coworker::detail
