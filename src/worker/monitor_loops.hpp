// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/event.hpp"
#include "coworker/job_source.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace coworker::detail {

/// After a source has refused something: how long before it is asked again.
inline constexpr std::chrono::milliseconds refusal_pause{500};

/// Returns what others have lost to its queue, until this is cancelled. Tells of what it returns, and of what is
/// refused. Throws what ends its caller: cancellation, `errc::stopped`, and what is no `system_error`.
asio::awaitable<void> return_lost_jobs(job_source& source, std::chrono::milliseconds lease,
                                       std::chrono::milliseconds grace, observer tell);

/// Carries out the schedules of a source, in the same way.
asio::awaitable<void> carry_out_schedules(job_source& source, observer tell);

/// Hands over the parts of a source that come, in the same way.
asio::awaitable<void> add_new_parts(job_source& source, observer tell,
                                    std::function<void(std::vector<std::unique_ptr<job_source>>)> add);

/// Those of the sources that carry out schedules: of sources that share schedules, the first one.
std::vector<job_source*> schedule_keepers(const std::vector<job_source*>& sources);

} // namespace coworker::detail
