// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_source.hpp"
#include "coworker/outcome.hpp"
#include "coworker/worker.hpp"

#include <exception>
#include <optional>
#include <string>

namespace coworker::detail {

/// Why a handler was told to end.
enum class end_reason
{
    none,
    lease_lost,
    timeout,
    expiry,
    worker_stops
};

/// How a handler ended: with an outcome, or with an exception, its text and its type.
struct handler_end
{
    std::optional<outcome> result;
    std::string exception;
    std::string exception_type{};
};

/// One that has thrown.
handler_end describe(std::exception_ptr error);

/// What the handler answered, or a failure that says what is wrong with that.
outcome check_answer(outcome answered, const job_source::abilities& source);

/// The reason of a job that may not be retried any more.
std::string given_up_text(const std::string& reason, unsigned attempts);

/// The outcome to store: what the handler answered, in the light of the queue's rules. A handler that was
/// told to end and all the same came to an outcome of its own is believed; but a retry of one that was interrupted since
/// the worker stops costs no attempt.
outcome conclude(const handler_end& end, end_reason reason, unsigned attempt, const handle_options& options);

/// What can be said of a job before its handler is called: an outcome means that it is not.
std::optional<outcome> refuse_to_start(const fetched_job& job, std::optional<std::chrono::milliseconds> age,
                                       const handle_options& options);

} // namespace coworker::detail
