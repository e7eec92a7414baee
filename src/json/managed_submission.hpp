// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_options.hpp"
#include "coworker/timestamp.hpp"
#include "json/members.hpp"
#include "json/refusal.hpp"

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

/// Jobs for a managed queue as they come over HTTP: {"kind": "Letter", "payload": …, "priority": 10}.
namespace coworker::detail {

struct managed_submission
{
    new_managed_job job;
    std::optional<timestamp> run_at; ///< in place of a delay
};

/// Turns a time to run at into a delay.
void set_delay(managed_submission& what, timestamp now);

/// The body of a request. Each job is usable, or refused.
struct managed_submissions
{
    bool is_array = false;
    std::vector<std::variant<managed_submission, refusal>> items;
};

/// The members that a job has however it is pushed: by a request, or by a schedule.
const member_readers<managed_submission>& job_option_members();

/// @throws refusal  when what was read by them is no job that can be pushed
void check_job(const new_managed_job& job);

/// One job.
/// @throws refusal
managed_submission read_managed_submission(std::string_view json);

/// @throws refusal  when the body as a whole cannot be used; for one that is no array, whatever is wrong.
managed_submissions read_managed_submissions(std::string_view body, std::size_t max_jobs);

} // namespace coworker::detail
