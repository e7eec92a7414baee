// SPDX-License-Identifier: MIT
#pragma once

#include "store.hpp"

namespace coworker::test::model {

/// What happens to the locks of a queue that have ended.
class expiry
{
public:
    expiry(store& in, double now, std::string queue) : in_{in}, now_{now}, queue_{std::move(queue)} {}

    /// Returns the jobs to be handed out again; looks at `count` locks.
    strings run(double count);

    /// Tells of a lost lock, and notes it unless that was done when the courtesy period began.
    void lose(job& what, bool was_noted);
    /// One attempt less. Returns whether there was one.
    /// @param is_own  coworker finds it, and counts it
    bool take_back(job& what, const std::string& worker, bool is_own = false);

private:
    store& in_;
    double now_;
    std::string queue_;
};

} // namespace coworker::test::model
