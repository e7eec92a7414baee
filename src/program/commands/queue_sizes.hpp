// SPDX-License-Identifier: MIT
#pragma once

#include "program/terminal/json_line.hpp"

#include <coworker/inspect/queue_info.hpp>

namespace coworker::program {

/// Adds the members that tell how many jobs are where, and for how long the next has waited.
void add_sizes(json_line& line, const queue_info& queue);

} // namespace coworker::program
