// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/durability.hpp"
#include "coworker/job.hpp"
#include "gateway/answer.hpp"
#include "gateway/route.hpp"
#include "text/json_object.hpp"

#include <chrono>

namespace coworker::detail {

/// What a request says that jobs it pushes are to survive: `durability` and `replicas` in its query.
///
/// @param limit  how long Redis is to wait for that
/// @throws refusal
durability wanted_durability(const routed& request, std::chrono::milliseconds limit);

/// The answer that tells of a job that was pushed.
///
/// @param about  members that say so
/// @param is_confirmed  whether the request has asked for a durability: then it is told, too, whether that is confirmed
answer pushed_answer(json_object about, const push_result& result, bool is_confirmed);

/// The answer to a request for a durability that the server cannot give.
answer durability_refused(const system_error& error);

} // namespace coworker::detail
