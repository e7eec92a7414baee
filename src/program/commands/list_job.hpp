// SPDX-License-Identifier: MIT
#pragma once

#include "program/command_line.hpp"

#include <coworker/inspector.hpp>

#include <string>

namespace coworker::program {

/// Shows a job of a list queue: by its id, or by what the commands call one whose id cannot be typed.
///
/// @throws failure  `exit_code::not_found`
asio::awaitable<void> show_list_job(const inspector& all, queue_ref queue, const std::string& name,
                                    surroundings& here);

} // namespace coworker::program
