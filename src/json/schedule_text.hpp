// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/schedules.hpp"
#include "text/json_object.hpp"

namespace coworker::detail {

/// A schedule as JSON.
json_object describe(const schedule_status& schedule, json_for reader = json_for::programs);

} // namespace coworker::detail
