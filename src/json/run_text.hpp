// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "coworker/managed_details.hpp"
#include "text/json_object.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace coworker::detail {

/// A job on its way to a worker that is another process, over HTTP or as a line.
struct job_run
{
    std::string_view id;
    std::string_view queue; ///< as `call_queue` has it
    unsigned attempt = 1;
    std::string_view payload;                          ///< JSON; in managed queues it may be any bytes
    std::string_view checkpoint{};                     ///< JSON; empty: none
    std::string_view signals{}, slept{}, ended_jobs{}; ///< as `job_signals` has them; empty: none
    const std::map<std::string, std::string>* steps = nullptr; ///< names, and JSON; null or empty: none
    const managed_details* managed = nullptr;                  ///< null for a job of a list queue
    std::optional<timestamp> queued_at{};
};

/// Such a job as JSON.
json_object describe(const job_run& job);

} // namespace coworker::detail
