// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/event.hpp"
#include "coworker/job_source.hpp"

#include <chrono>

namespace coworker::detail {

/// After a source has refused something: how long before it is asked again.
inline constexpr std::chrono::milliseconds refusal_pause{500};

/// Returns what others have lost to its queue, until this is cancelled. Tells of what it returns, and of what is
/// refused. Throws what ends its caller: cancellation, `errc::stopped`, and what is no `system_error`.
asio::awaitable<void> watch_leases(job_source& source, std::chrono::milliseconds lease,
                                   std::chrono::milliseconds grace, observer tell);

} // namespace coworker::detail
