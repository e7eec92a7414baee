// SPDX-License-Identifier: MIT
#pragma once

#include "program/redis_access.hpp"

#include "program/service/log_format.hpp"
#include "program/service/notifier.hpp"

#include <coworker/gateway.hpp>

#include <functional>

namespace coworker::program {

/// What is said of a gateway once it listens.
using gateway_announcement = std::function<void(std::uint16_t port)>;

/// Who hears of a gateway while it runs.
struct gateway_listeners
{
    gateway_announcement announce;
    std::function<gateway_tokens()> read_tokens; ///< what is read anew; throws what is wrong with them
    log_settings log{};
    bool log_each_request = false;
    notify_settings service{};
};

/// Runs a gateway until it is told to stop by a signal; a second one ends requests that are under way. SIGHUP has it
/// read its tokens and its certificate anew. While Redis is away it answers 503.
///
/// @param redis_timeout  how long a request waits for Redis
/// @throws failure  The gateway cannot listen there, or this Redis cannot be used.
exit_code run_gateway(const server_settings& server, gateway_options options,
                      std::chrono::milliseconds redis_timeout, const gateway_listeners& listeners);

} // namespace coworker::program
