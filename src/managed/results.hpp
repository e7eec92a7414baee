// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_results.hpp"
#include "managed/managed_call.hpp"

/// What becomes of jobs, and waiting for it.
namespace coworker::detail {

/// What `note` stores of a job's progress.
std::string progress_text(const job_progress& progress);

/// From what `status` shows of it. Empty: there is none, or other clients have stored something else.
std::optional<job_progress> read_progress(std::string_view json);

/// `errc::job_not_found` if nothing is known of the job.
asio::awaitable<result<job_status>> read_status(kept_connection redis, std::string prefix, std::string jid);

/// Waits for the end of a job; yields its result as JSON text, empty if there is none.
///
/// @param wants_result  that there is none is an error
asio::awaitable<std::string> wait_for_job(kept_connection redis, std::string prefix, std::string jid,
                                          wait_options options, bool wants_result);

} // namespace coworker::detail
