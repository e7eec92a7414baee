#pragma once

#include "coworker/json_line.hpp"
#include "coworker/queue_look.hpp"

namespace coworker::cli {

/// Adds the members that tell how many jobs are where, and for how long the next has waited.
void add_sizes(json_line& line, const queue_look& look);

} // namespace coworker::cli
