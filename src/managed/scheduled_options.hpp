// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_options.hpp"

#include <string_view>

namespace coworker::detail {

/// The options of a schedule's jobs. What others may have stored is read as far as it makes sense.
///
/// @param words  what is stored: names and values in turn, as they follow the delay in `put`
/// @param kind  of its jobs
/// @param data  theirs; with the kind it tells by which rule a unique key was made
managed_push_options read_scheduled_options(std::string_view words, std::string_view kind,
                                            std::string_view data);

} // namespace coworker::detail
