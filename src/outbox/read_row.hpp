// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "coworker/outbox_store.hpp"
#include "json/managed_submission.hpp"

#include <chrono>

namespace coworker::detail {

/// The job of a row for a list queue. Its id is remembered for that long.
/// @throws refusal  when the row cannot be pushed
raw_push read_list_row(const outbox_row& row, std::chrono::milliseconds remember);

/// The same for a managed queue.
/// @throws refusal  when the row cannot be pushed
managed_submission read_managed_row(const outbox_row& row, std::chrono::milliseconds remember);

} // namespace coworker::detail
