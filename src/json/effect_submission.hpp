// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "coworker/text.hpp"
#include "json/list_submission.hpp"
#include "json/managed_submission.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What a worker that speaks JSON wants to be carried out with its acknowledgement: {"command": ["INCR", "orders"]},
/// {"queue": "managed:receipts", "job": {"kind": "Receipt"}} or {"queue": "mail", "job": {"payload": 1}}.
namespace coworker::detail {

/// A job for a managed queue.
struct managed_child
{
    std::string queue;
    managed_submission what;
};

/// The words of a command, or a job.
using effect_submission = std::variant<text_list, list_submission, managed_child>;

/// What may be handed over.
struct effect_rules
{
    queue_kind kind;                      ///< of the queue whose job has ended
    std::span<const std::string> types{}; ///< queues that may be pushed to; empty: any
    /// Throws a refusal for a command that must not be carried out. Empty: each may that `job_effects` permits.
    std::function<void(const text_list& words)> check_command{};
};

/// @param json  the value of the member "effects"
/// @throws refusal  which names the member and says which of the effects is wrong
std::vector<effect_submission> read_effects(std::string_view json, const effect_rules& rules);

/// A refusal of the effect at this place, of those of one job.
refusal refuse_effect(std::size_t place, unsigned status, const std::string& why);

} // namespace coworker::detail
