// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace coworker {

/// Wall-clock time, as Redis and job records have it: UTC, to the microsecond.
using timestamp = std::chrono::sys_time<std::chrono::microseconds>;

} // namespace coworker
