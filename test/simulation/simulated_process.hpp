// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/world.hpp"
#include "support/world_of_jobs.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <string>

namespace coworker::test {

/// What stands for a process of a program: an `io_context` that runs when the simulation lets it.
struct simulated_process : process_of_handlers
{
    std::string name;
    int number = 0;
    std::function<void(simulated_process&)> program; ///< spawns the process' coroutines on `io`
    std::unique_ptr<boost::asio::io_context> io{};   ///< null: the process is dead
    std::function<void()> stop{};                    ///< asks it to end; set by the program
    nanoseconds steady_offset = 0, wall_offset = 0;  ///< of its clocks
    double drift = 0;                          ///< how much faster than time they run: 0.01 is a hundredth
    nanoseconds drifts_since = 0, drifted = 0; ///< since when its clocks run so; how far they were ahead
    nanoseconds next_timer = never, frozen_until = 0; ///< it gets no time before
    int handlers = 0;                                 ///< that run
    bool is_runnable = false;
    bool has_ended = false; ///< the program itself has

    bool is_alive() const noexcept { return io != nullptr; }

    /// From now on its clocks run faster, or slower. They do not jump.
    void let_drift(nanoseconds now, double rate)
    {
        drifted = drifted_at(now);
        drifts_since = now;
        drift = rate;
    }
    /// By how much its clocks have gone ahead of time.
    nanoseconds drifted_at(nanoseconds now) const noexcept
    {
        return drifted + static_cast<nanoseconds>(static_cast<double>(now - drifts_since) * drift);
    }
};

} // namespace coworker::test
