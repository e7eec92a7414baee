// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/durability.hpp"
#include "coworker/job.hpp"
#include "gateway/answer.hpp"
#include "gateway/route.hpp"
#include "text/json_object.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace coworker::detail {

/// What a request says that what it changes is to survive: `durability` and `replicas` in its query.
///
/// @param limit  how long Redis is to wait for that
/// @throws refusal
durability wanted_durability(const routed& request, std::chrono::milliseconds limit);

/// The answer that tells what was done.
///
/// @param about  members that say so
/// @param status  that of success
/// @param unconfirmed  why it is not confirmed; empty: it is, or was not to be
/// @param is_confirmed  whether the request has asked for a durability: then it is told, too, whether that is confirmed
answer confirmed_answer(json_object about, unsigned status, const std::string& unconfirmed,
                        bool is_confirmed);

/// The same of a job that was pushed.
answer pushed_answer(json_object about, const push_result& result, bool is_confirmed);

/// The answer to a request for a durability that the server cannot give.
///
/// @param done  what has not been done
answer durability_refused(const system_error& error, std::string_view done = "pushed");

} // namespace coworker::detail
