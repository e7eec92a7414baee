// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule_place.hpp"

namespace coworker::detail {

/// The schedules of managed queues with this prefix.
std::shared_ptr<const schedule_place> where_schedules_are(std::shared_ptr<connection> redis,
                                                          const std::string& prefix);

} // namespace coworker::detail
