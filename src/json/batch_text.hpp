// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/batch_values.hpp"
#include "text/json_object.hpp"

namespace coworker::detail {

/// A batch as JSON.
json_object describe(const batch_status& batch, json_for reader = json_for::programs);

} // namespace coworker::detail
