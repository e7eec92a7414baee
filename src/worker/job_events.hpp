// SPDX-License-Identifier: MIT
#pragma once

#include "worker/running_job.hpp"
#include "worker/worker_life.hpp"

#include <string_view>

namespace coworker::detail {

/// Tells observers what becomes of a job.
void tell_of_start(const worker_life& life, const running_job& job);
void tell_of_end(const worker_life& life, const running_job& job);
/// Its acknowledgement was sent again, and refused: it has ended so, or its lease was lost before.
void tell_of_doubt(const worker_life& life, const running_job& job);
void tell_of_loss(const worker_life& life, const running_job& job, std::string_view why);

} // namespace coworker::detail
