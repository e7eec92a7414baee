// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/codec.hpp"
#include "coworker/outcome.hpp"
#include "json/effect_submission.hpp"
#include "json/members.hpp"

#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a worker that is another process says of its job, over HTTP or as a line: {"outcome": "retry", "message": "…",
/// "delay": "5m"}, {"progress": 0.4, "message": "…"}, {"log": "…"}, {"checkpoint": …} or {"step": "charge", "value": …}, with the job's token or id.
namespace coworker::detail {

/// What was said. Empty are the members that are not there.
struct run_report
{
    std::string token; ///< the bytes; over HTTP
    std::string id;    ///< of lines
    std::string outcome, message, group;
    std::optional<queue_ref> queue;
    std::optional<std::chrono::milliseconds> delay;
    std::optional<raw_json> payload, result, checkpoint;
    std::string step;              ///< the name of one that was carried out
    std::optional<raw_json> value; ///< its value
    std::string_view effects;
    std::optional<double> progress;
    text_list log;                 ///< lines
    std::string name, signal, job; ///< of what the job sleeps for
    std::optional<timestamp> until;
    unsigned after = 0;
    std::set<std::string> names; ///< of the members that are there
};

/// @param names  of the members that are possible
/// @throws refusal
run_report read_report(std::string_view json, const std::string& what,
                       std::initializer_list<const char*> names);

/// The same of an object that may have any member; those that are not known are ignored.
run_report read_report_line(std::string_view json);

/// The outcome that a report tells, and its effects.
struct told_outcome
{
    outcome result;
    std::vector<effect_submission> effects{};
};

/// @throws refusal  when it tells none, or has members that do not go with it
told_outcome read_outcome(const run_report& report, const effect_rules& rules);

} // namespace coworker::detail
