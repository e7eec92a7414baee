// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/schedule.hpp"
#include "submission/managed_submission.hpp"

/// A schedule as it comes over HTTP: {"cron": "@daily", "queue": "reports", "kind": "Report"}.
namespace coworker::detail {

struct schedule_submission : managed_submission
{
    schedule when{};
    std::string queue{};
};

/// @throws refusal
schedule_submission read_schedule_submission(const std::string& body);

/// The word for what happens to missed runs.
std::string_view word_for(missed_runs missed) noexcept;

} // namespace coworker::detail
