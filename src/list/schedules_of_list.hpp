// SPDX-License-Identifier: MIT
#pragma once

#include "list/keys.hpp"
#include "schedule/schedule_place.hpp"

namespace coworker::detail {

/// The schedules of a list queue.
std::shared_ptr<const schedule_place> where_schedules_are(std::shared_ptr<connection> redis,
                                                          const list_keys& keys);

} // namespace coworker::detail
