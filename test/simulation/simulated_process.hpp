// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/world.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <string>

namespace coworker::test {

/// What stands for a process of a program: an `io_context` that runs when the simulation lets it.
struct simulated_process
{
    std::string name;
    int number = 0;
    std::function<void(simulated_process&)> program;  ///< spawns the process' coroutines on `io`
    std::unique_ptr<boost::asio::io_context> io{};    ///< null: the process is dead
    std::function<void()> stop{};                     ///< asks it to end; set by the program
    nanoseconds steady_offset = 0, wall_offset = 0;   ///< of its clocks
    nanoseconds next_timer = never, frozen_until = 0; ///< it gets no time before
    bool is_runnable = false;
    bool has_ended = false; ///< the program itself has

    bool is_alive() const noexcept { return io != nullptr; }
};

} // namespace coworker::test
