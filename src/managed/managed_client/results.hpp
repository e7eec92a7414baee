// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_waits.hpp"
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

/// Result of a job that has ended, as JSON text, from what `status` answers. Throws why there is none; empty if that is
/// no error.
///
/// @param needed  that it has succeeded without a result is an error
std::string result_of(const reply::answer& status, const std::string& jid, bool needed);

/// From a word of await.lua, and the result or the failure that may come with it, as JSON text.
awaited_job<> end_of_job(std::string_view how, std::string_view json);

/// Waits for the end of a job; yields its result as JSON text, empty if there is none.
///
/// @param wants_result  that there is none is an error
asio::awaitable<std::string> wait_for_job(kept_connection redis, std::string prefix, std::string jid,
                                          wait_options options, bool wants_result);

} // namespace coworker::detail
