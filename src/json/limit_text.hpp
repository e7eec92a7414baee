// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_limits.hpp"
#include "coworker/managed_options.hpp"
#include "text/json_object.hpp"

/// Limits, weights of groups and settings of queues as JSON.
namespace coworker::detail {

json_object describe(const limit_state& limit, json_for reader = json_for::programs);
/// A limit that a job or a queue names.
json_object describe(const limit_use& limit, json_for reader = json_for::programs);
json_object describe(const group_weight& one, json_for reader = json_for::programs);
json_object describe(const managed_queue_settings& settings, json_for reader = json_for::programs);

} // namespace coworker::detail
