// SPDX-License-Identifier: MIT
#pragma once

#include "support/nanoseconds.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::test {

/// What an account knows of a process in which handlers run.
struct process_of_handlers
{
    nanoseconds disturbed_until = 0; ///< the last time at which anything was wrong with it

    /// Something befalls it, or its connections, until then.
    void disturb(nanoseconds until) noexcept { disturbed_until = std::max(disturbed_until, until); }
};

/// Where the jobs of an account are: a simulation, or a storm in real time.
class world_of_jobs
{
public:
    virtual ~world_of_jobs() = default;

    virtual nanoseconds now() const = 0;
    /// Since 1970, by the clock of Redis. Zero: nobody knows when this took place.
    virtual nanoseconds wall_time() const = 0;
    /// The last time at which anything was wrong with Redis; never: it may have been at any time.
    virtual nanoseconds redis_disturbed_until() const = 0;
    /// What Redis answers: the parts of it, in a row. Empty: it is dead.
    virtual std::vector<std::string> ask(const std::vector<std::string>& words) = 0;
    /// Something has happened.
    virtual void tell(std::string_view who, std::string_view what) = 0;

protected:
    world_of_jobs() = default;
    world_of_jobs(const world_of_jobs&) = default;
    world_of_jobs& operator=(const world_of_jobs&) = default;
};

} // namespace coworker::test
