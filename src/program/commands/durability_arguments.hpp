// SPDX-License-Identifier: MIT
#pragma once

#include "program/options.hpp"

#include <coworker/durability.hpp>

#include <string>

namespace coworker::program {

/// What jobs that are pushed, or the ends of those that are worked off, are to survive, as a command is told.
struct durability_arguments
{
    unsigned replicas = 0; ///< 0: none has to have them
    bool synced = false;
    std::string within;

    /// @throws failure  where a value cannot be used
    durability read() const;
};

/// How the help of a command speaks of it: UNTIL so many replicas have WHAT OTHERWISE.
struct durability_words
{
    std::string until, what, otherwise;
    std::string at_once; ///< what is waited for together
};

/// @param given  lives until the command line has been read
void add_durability_options(command_options& command, durability_arguments& given,
                            const durability_words& words);

} // namespace coworker::program
