// SPDX-License-Identifier: MIT
#pragma once

#include "support/raw_redis.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace coworker::test {

/// The private server of the managed queue's script tests, emptied.
class managed_redis
{
public:
    managed_redis();

    raw_redis& raw();
    std::string socket_path();

    /// How far the server's clock is ahead of the real one from now on; says whether that can be done here.
    static bool set_clock(std::chrono::nanoseconds ahead);

    /// Calls a script with the prefix `ql:` and further keys; a refusal is an answer.
    redis_value try_call(const std::string& script, const std::vector<std::string>& keys,
                         const std::vector<std::string>& arguments);

    /// Whether scripts that have a short way take the long one all the same.
    static bool are_short_ways_barred;
    static bool has_short_way(const std::string& script);

    /// The same without further keys; throws if it is refused.
    redis_value call(const std::string& script, const std::vector<std::string>& arguments);
};

} // namespace coworker::test
