// SPDX-License-Identifier: MIT
#pragma once

#include "program/command_line.hpp"

#include <coworker/inspector.hpp>

#include <string>

namespace coworker::program {

/// Shows a recurring job of managed queues.
///
/// @param queue  where it is looked for; without a name: in all
/// @throws failure  `exit_code::not_found`: there is no recurring job of this id, nor another job.
asio::awaitable<void> show_recurring(const inspector& all, const queue_ref& queue, const std::string& jid,
                                     surroundings& here);

} // namespace coworker::program
