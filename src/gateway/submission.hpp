// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "gateway/answer.hpp"

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

struct submission
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

/// The body of a request. Each job is usable or has the answer that says why it is not.
struct submissions
{
    bool is_array = false;
    std::vector<std::variant<submission, answer>> items;
};

/// One job.
/// @throws refusal
submission read_submission(std::string_view json, const submission_rules& rules);

/// @throws refusal  when the body as a whole cannot be used; for one that is no array, whatever is wrong.
submissions read_submissions(std::string_view body, const submission_rules& rules);

/// Longer delays are refused.
inline constexpr std::chrono::hours longest_delay{24 * 366 * 10};

/// Reads what `parse_duration` reads; a number at the end that has no unit means seconds. Nothing for anything else, or
/// beyond `longest_delay`.
std::optional<std::chrono::milliseconds> parse_delay(std::string_view text);

/// Whether a queue may have that name here: 1 to 512 bytes of UTF-8, since JSON has no others.
bool is_queue_name(std::string_view name) noexcept;

/// Checks that a queue is one of those that this gateway serves: any, if none are configured.
/// @throws refusal
void check_is_served(const std::string& queue, std::span<const std::string> types);

/// Checks how many jobs an array has.
/// @throws refusal
void check_number_of_jobs(std::size_t count, std::size_t max_jobs);

/// One answer for all: the status of each if they have the same, else 207.
answer combine(const std::vector<answer>& answers);

/// Checks that a body is one JSON value.
/// @throws refusal
void check_body(std::string_view body);

} // namespace coworker::detail
