// SPDX-License-Identifier: MIT
#pragma once

#include "redis/connection/connection.hpp"

#include <chrono>
#include <cstdint>
#include <random>

namespace coworker::detail {

/// Until when to wait at most for something that announces itself.
class poll_schedule
{
public:
    using clock = std::chrono::steady_clock;

    /// `interval` is for servers that announce nothing. Otherwise it is half a minute, spread out so that many
    /// workers do not ask at the same moment.
    clock::time_point next(const connection& redis, std::chrono::milliseconds interval)
    {
        std::uniform_int_distribution<int> milliseconds{24'000, 36'000};
        return clock::now() + (redis.tracks() ? std::chrono::milliseconds{milliseconds(random_)} : interval);
    }

    /// Up to a quarter more, for the same reason.
    std::chrono::milliseconds spread(std::chrono::milliseconds time)
    {
        std::uniform_int_distribution<std::int64_t> milliseconds{time.count(), time.count() * 5 / 4};
        return std::chrono::milliseconds{milliseconds(random_)};
    }

private:
    std::minstd_rand random_{std::random_device{}()};
};

} // namespace coworker::detail
