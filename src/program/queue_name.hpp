// SPDX-License-Identifier: MIT
#pragma once

#include <coworker/inspect/queue_ref.hpp>

#include <string>
#include <string_view>
#include <vector>

/// How queues are named on the command line: `NAME` is a list queue, `managed:NAME` a managed one, and
/// `list:NAME` a list queue whose name may begin with either.
namespace coworker::program {

/// @throws failure  `exit_code::usage`: the name is empty or too long.
queue_ref parse_queue_name(std::string_view text);
std::vector<queue_ref> parse_queue_names(const std::vector<std::string>& texts);

/// The queue as it is named on the command line.
std::string shown_name(const queue_ref& queue);

} // namespace coworker::program
