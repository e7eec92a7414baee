// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coworker::test {

/// The command line.
struct simulation_command
{
    std::string scene = "storm";
    std::uint64_t seed = 1;
    std::string server = "redis-server";
    int jobs = 0; ///< zero: as many as the scene wants
    std::uint64_t faults = UINT64_MAX;
    bool print = false, wire = false;

    std::uint64_t seeds = 0; ///< how many, each in a process of its own; zero: this one, in this process
    bool only_begin = false; ///< an eighth of the time in which things go wrong; then it stops

    double minutes = 0; ///< in place of a number of seeds
    std::uint64_t twice_each =
        0;                    ///< the first of so many seeds runs twice, with equal traces; zero: none does
    bool begin_twice = false; ///< the first seed runs twice up to there, with equal traces
    bool shrink = false;      ///< looks for fewer jobs and faults with which the seed fails

    std::string museum{}; ///< a table of seeds that are run, in place of this one

    bool is_series() const noexcept
    {
        return seeds != 0 || minutes > 0 || twice_each != 0 || begin_twice || shrink || !museum.empty();
    }
};

/// Empty: the arguments are not understood, and standard error says why.
std::optional<simulation_command> read_command(const std::vector<std::string>& arguments);
/// The arguments for one seed of it.
std::vector<std::string> arguments_for(const simulation_command& command);

/// Exit statuses.
inline constexpr int all_is_well = 0, something_is_wrong = 1, not_understood = 2, not_possible_here = 77;

/// Runs the seeds of a command, each in a process of its own. @return the exit status
int run_series(const simulation_command& command);
/// Those of a table.
int run_museum(const simulation_command& command);
/// One seed in a process of its own, of which it prints what is wrong. @return the exit status
int try_seed(const simulation_command& command);

} // namespace coworker::test
