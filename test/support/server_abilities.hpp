// SPDX-License-Identifier: MIT
#pragma once

#include "support/redis_server.hpp"

namespace coworker::test {

/// Whether the server can wait until its append-only file is on the disk: Redis 7.2 and later, and Valkey.
inline bool has_waitaof(redis_server& server)
{
    const auto told = server.raw().try_command({"COMMAND", "INFO", "WAITAOF"}).elements.at(0);
    return !told.is_nil() && !told.elements.empty();
}

} // namespace coworker::test
