// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/world.hpp"
#include "support/raw_redis.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/types.h>

namespace coworker::test {

/// The server does not load the library that brings it into the simulation.
class not_preloaded : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// A redis-server under the simulation's clock. It runs only while it has its turn, and gives that back when it has
/// nothing to do. Its folder is the present one.
class simulated_redis
{
public:
    /// @param program  what to start: a path, or a name on the PATH
    /// @param library  the one that is loaded into it
    simulated_redis(world& page, std::string program, std::string library);
    ~simulated_redis();
    simulated_redis(const simulated_redis&) = delete;
    simulated_redis& operator=(const simulated_redis&) = delete;

    bool runs() const noexcept { return process_ > 0; }
    void start();
    /// As SIGKILL does. What it has written to its append-only file stays there.
    void kill();

    /// Where it listens.
    static constexpr const char* socket_path = "redis.sock";

    /// Lets it run until it would sleep.
    void hand_over();
    /// When it wants to run again by itself.
    nanoseconds wakes() const noexcept { return runs() ? page_.wakes.load() : never; }
    std::uint64_t turns() const noexcept { return turns_; }

    /// Carries out a command of the simulation's own, outside of the network and of time. Returns the parts of the answer;
    /// an error is a part that begins with '-'.
    std::vector<std::string> ask(const std::vector<std::string>& words);

    /// The size of the append-only file, which has all that was carried out so far.
    std::uintmax_t written() const;
    /// While it is dead: loses what was written behind that size, as a machine that loses its power does.
    void forget_behind(std::uintmax_t size);

private:
    [[noreturn]] void run_server();
    void wait_for_turn();

    world& page_;
    std::string program_, library_;
    pid_t process_ = 0;
    std::optional<raw_redis> connection_;
    std::uint64_t turns_ = 0;
};

} // namespace coworker::test
