// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "coworker/job_taker.hpp"
#include "gateway/answer.hpp"
#include "json/run_report.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What workers over HTTP send, and what they are told.
namespace coworker::detail {

/// How long a request may wait for jobs.
inline constexpr std::chrono::seconds longest_wait{60};

/// {"worker": "host:4711", "count": 5, "wait": "20s"}; of managed queues with "checkpoints": true, "steps": true
/// @throws refusal
take_options read_take(const std::string& body, queue_kind kind);

/// A request about several jobs, or about one.
template<class Item>
struct for_each_job
{
    bool is_array = false;
    std::vector<std::variant<Item, refusal>> items{}; ///< what is wrong with one keeps no other away
};

/// {"token": "…"}, or an array of these.
/// @throws refusal  when the body as a whole cannot be used; for one that is no array, whatever is wrong.
for_each_job<std::string> read_tokens(std::string_view body, std::size_t most);

/// The end of a job as a worker tells it.
struct told_end
{
    ended_job job; ///< without its effects
    std::vector<effect_submission> effects{};
};

/// {"token": "…", "outcome": "retry", "message": "…", "delay": "5m"}, or an array of these; a success and `forward` with
/// "effects": […].
/// @throws refusal
for_each_job<told_end> read_ended_jobs(std::string_view body, const effect_rules& rules, std::size_t most);

/// {"token": "…", "progress": 0.4, "message": "page 12 of 30"}, or an array of these.
/// @throws refusal
for_each_job<told_progress> read_progress_of_jobs(std::string_view body, std::size_t most);
for_each_job<told_log> read_logs_of_jobs(std::string_view body, std::size_t most);

/// {"token": "…", "checkpoint": {"row": 4711}}, or an array of these.
/// @throws refusal
for_each_job<saved_checkpoint> read_checkpoints_of_jobs(std::string_view body, std::size_t most);

/// {"token": "…", "step": "charge", "value": {"receipt": 4711}}, or an array of these.
/// @throws refusal
for_each_job<done_step> read_steps_of_jobs(std::string_view body, std::size_t most);

/// {"jobs": […]}
std::string describe_taken(const std::vector<taken_job>& jobs, const queue_ref& queue);

answer describe_renewal(const result<renewed_lease>& renewed);
/// @param pushed  the ids of the jobs that were pushed with it
answer describe_acknowledgement(const result<acknowledged_job>& done, const std::vector<std::string>& pushed);
answer describe_told(const result<void>& done);
answer describe_saved(const result<void>& done);
answer describe_step(const result<void>& done);

} // namespace coworker::detail
