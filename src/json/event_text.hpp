// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_events.hpp"
#include "text/json_object.hpp"

namespace coworker::detail {

/// What has happened to a job of a managed queue, as JSON.
json_object describe(const managed_event& what);

} // namespace coworker::detail
