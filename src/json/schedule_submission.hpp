// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/run_times.hpp"
#include "json/managed_submission.hpp"

/// A schedule as it comes over HTTP: {"cron": "@daily", "queue": "reports", "kind": "Report"}.
namespace coworker::detail {

struct schedule_submission : managed_submission
{
    schedule when{};
    std::string queue{};
};

/// @throws refusal
schedule_submission read_schedule_submission(const std::string& body);

} // namespace coworker::detail
