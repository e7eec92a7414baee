// SPDX-License-Identifier: MIT
#pragma once

#include "worker/running_job.hpp"
#include "worker/worker_life.hpp"

#include <string>
#include <string_view>

namespace coworker::detail {

/// How a job has ended, kept for when it may be told.
struct job_end
{
    event_kind kind;
    std::string id;
    std::string message;
    unsigned attempt;
    std::chrono::nanoseconds duration;
    std::chrono::milliseconds delay;

    event as_event(std::string_view queue) const;
};

/// Tells observers what becomes of a job.
void tell_of_start(const worker_life& life, const running_job& job);
void tell_of_end(const worker_life& life, const running_job& job);
job_end end_of(const running_job& job);
/// It has ended so and is acknowledged, but that is not confirmed.
void tell_of_unconfirmed(const worker_life& life, const queue_runner& queue, const job_end& how,
                         std::string_view why);
/// Its acknowledgement was sent again, and refused: it has ended so, or its lease was lost before.
void tell_of_doubt(const worker_life& life, const running_job& job);
void tell_of_loss(const worker_life& life, const running_job& job, std::string_view why);

} // namespace coworker::detail
