// SPDX-License-Identifier: MIT
#pragma once

#include "program/terminal/output.hpp"

#include <coworker/inspect/queue_history.hpp>
#include <coworker/inspect/queue_ref.hpp>

#include <vector>

namespace coworker::program {

/// What became of jobs in each hour, from the first in which a job ended to the present one. `minute_counts::minute` is
/// when the hour began.
std::vector<minute_counts> by_hours(const queue_history& history);

/// Shows the history of a queue: a table of hours, or with `json` an object with minutes.
void show_history(output& out, const std::optional<queue_ref>& queue, const queue_history& history,
                  bool json);

} // namespace coworker::program
