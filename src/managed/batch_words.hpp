// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/batch_values.hpp"
#include "managed/managed_call.hpp"

/// Batches as the scripts take and tell them.
namespace coworker::detail {

/// What the scripts tell of a batch, from this place on.
batch_status read_batch(const reply::answer& words, std::size_t first);

/// Adds what `batch_counts` tells of a part; returns the cursor to go on with.
std::string add_counts(const reply::answer& words, batch_counts& sum);

/// The call of `batch_open`.
/// @throws system_error  where it cannot be opened so
managed_call open_call(const std::string& prefix, std::string_view id, const batch_options& wanted);

} // namespace coworker::detail
