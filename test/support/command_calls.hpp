// SPDX-License-Identifier: MIT
#pragma once

#include "support/redis_server.hpp"

#include <cstdint>
#include <string>

namespace coworker::test {

/// How often a server has carried out a command since it started or its statistics were reset, in scripts too. A
/// subcommand is named like "client|list".
inline std::int64_t calls_of(redis_server& server, const std::string& command)
{
    const auto told = server.raw().info("commandstats", "cmdstat_" + command); // "calls=2,usec=..."
    return told.empty() ? 0 : std::stoll(told.substr(told.find('=') + 1));
}

} // namespace coworker::test
