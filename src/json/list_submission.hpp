// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "json/refusal.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Jobs of list queues as they come over HTTP: {"type": "mail", "payload": …, "delay": "5m", "id": "order-4711"}.
namespace coworker::detail {

struct list_submission
{
    std::string type; ///< the queue's name
    raw_push what;    ///< the JSON text as the client wrote it
};

/// What may be queued.
struct submission_rules
{
    std::span<const std::string> types; ///< empty: any
    std::size_t max_jobs = 1000;        ///< in one request
    std::string_view queue{};           ///< where all jobs go; empty: each has a type
};

/// The body of a request. Each job is usable, or refused.
struct list_submissions
{
    bool is_array = false;
    std::vector<std::variant<list_submission, refusal>> items;
};

/// One job.
/// @throws refusal
list_submission read_list_submission(std::string_view json, const submission_rules& rules);

/// @throws refusal  when the body as a whole cannot be used; for one that is no array, whatever is wrong.
list_submissions read_list_submissions(std::string_view body, const submission_rules& rules);

/// Checks that a queue is one of those that this gateway serves: any, if none are configured.
/// @throws refusal
void check_is_served(const std::string& queue, std::span<const std::string> types);

} // namespace coworker::detail
