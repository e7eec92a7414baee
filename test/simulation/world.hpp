// SPDX-License-Identifier: MIT
#pragma once

#include "support/nanoseconds.hpp"

#include <atomic>
#include <climits>
#include <cstdint>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// @file
/// What the simulation and the server under it share: one page of memory. The library that is loaded into the server
/// includes this, so there is nothing of the library here.
namespace coworker::test {

/// One of the two processes runs at a time: the simulation, or the server when it has the turn.
struct world
{
    std::atomic<nanoseconds> now;    ///< since the machine's start: the monotonic clock
    std::atomic<nanoseconds> wall;   ///< the system clock minus the monotonic one
    std::atomic<std::uint32_t> turn; ///< a futex. 0: the simulation's; 1: the server's
    std::atomic<nanoseconds> wakes;  ///< when the server's next timer is due
    std::atomic<bool> is_joined;     ///< the server has this page
};

inline void wake(std::atomic<std::uint32_t>& word)
{
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

/// Waits until it is no longer `value`, or a second has passed.
inline void wait_while(std::atomic<std::uint32_t>& word, std::uint32_t value)
{
    const timespec limit{1, 0};
    syscall(SYS_futex, &word, FUTEX_WAIT, value, &limit, nullptr, 0);
}

} // namespace coworker::test
