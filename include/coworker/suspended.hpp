// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/outcome.hpp"

#include <utility>

namespace coworker {

/// What `job_context::sleep_for`, `sleep_until`, `signal` and `async_wait_for_job` throw when the job has to wait for long: it leaves the
/// handler, and the job is suspended. No std::exception, so handlers that catch those let it pass. A `catch (...)` in a
/// handler or in middleware has to pass it on with `throw;`.
class suspended
{
public:
    /// With the outcome of the run.
    explicit suspended(outcome how) : how_{std::move(how)} {}

    /// How the run ends.
    const outcome& result() const noexcept { return how_; }

private:
    outcome how_;
};

} // namespace coworker
