// SPDX-License-Identifier: MIT
#pragma once

#include "program/command_line.hpp"

#include <coworker/inspector.hpp>
#include <coworker/managed_client.hpp>

#include <chrono>
#include <string>

namespace coworker::program {

/// The time of `--wait`.
///
/// @throws failure  `exit_code::usage`: it is none.
std::chrono::milliseconds read_wait(const std::string& text);

/// Waits until a job of a managed queue has ended, or the time is over; returns at once if there is no such job. Redis
/// announces the end, on a connection of its own.
///
/// @throws failure  `exit_code::not_found`: it was cancelled or deleted meanwhile.
asio::awaitable<void> wait_for_end(const server_settings& server, const std::string& jid,
                                   std::chrono::milliseconds longest);

/// Shows the result of a job whose record is gone: it need not be kept as long. Returns whether there is one.
asio::awaitable<bool> show_kept_result(const managed_client& jobs, const std::string& jid,
                                       surroundings& here);

/// What a script is told that has waited for a job: done if it is complete. Otherwise says why it is not.
exit_code judge_end(const managed_job& job, std::chrono::milliseconds waited);

} // namespace coworker::program
