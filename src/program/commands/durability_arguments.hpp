// SPDX-License-Identifier: MIT
#pragma once

#include "program/options.hpp"

#include <coworker/durability.hpp>

#include <string>

namespace coworker::program {

/// What jobs that are pushed are to survive, as a command is told.
struct durability_arguments
{
    unsigned replicas = 0; ///< 0: none has to have them
    bool synced = false;
    std::string within;

    /// @throws failure  where a value cannot be used
    durability read() const;
};

/// @param given  lives until the command line has been read
/// @param otherwise  what happens if it is not confirmed
void add_durability_options(command_options& command, durability_arguments& given,
                            const std::string& otherwise = "else the exit code is 5");

} // namespace coworker::program
