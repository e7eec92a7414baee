// SPDX-License-Identifier: MIT
#pragma once

#include "worker/running_job.hpp"
#include "worker/worker_life.hpp"

namespace coworker::detail {

/// Tells observers what becomes of a job.
void tell_of_start(const worker_life& life, const running_job& job);
void tell_of_end(const worker_life& life, const running_job& job);
/// The same of the jobs with effects that were acknowledged together: not before it is known whether they could be
/// carried out.
void tell_of_effects(const worker_life& life, std::list<running_job>& batch,
                     const job_source::fetch_result& result);
void tell_of_loss(const worker_life& life, const running_job& job, std::string_view why);

} // namespace coworker::detail
