// SPDX-License-Identifier: MIT
#pragma once

#include "support/redis_server.hpp"

#include <chrono>

namespace coworker::test {

/// Whether clocks can jump in this build.
#ifdef COWORKER_CLOCK_SHIM
inline constexpr bool can_jump = true;
#else
inline constexpr bool can_jump = false;
#endif

/// A private Redis whose clock jumps when a test wants it to.
class jumping_server
{
public:
    jumping_server();

    redis_server& server() noexcept { return server_; }

    /// How far its clock is ahead of the real one from now on; says whether that can be done here.
    bool set_clock(std::chrono::nanoseconds ahead);

private:
    temporary_folder folder_;
    redis_server server_;
};

} // namespace coworker::test
