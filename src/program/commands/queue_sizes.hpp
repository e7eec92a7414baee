#pragma once

#include "program/commands/queue_look.hpp"
#include "program/terminal/json_line.hpp"

namespace coworker::program {

/// Adds the members that tell how many jobs are where, and for how long the next has waited.
void add_sizes(json_line& line, const queue_look& look);

} // namespace coworker::program
