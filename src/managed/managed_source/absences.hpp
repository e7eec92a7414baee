// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>

namespace coworker::detail {

/// For how long workers have been without a connection, as far as the monitor has looked. Time is passed in.
///
/// Between two looks a worker may have been there unseen, so a long time between them counts for little: however slow
/// the looks are, a worker has to be missing in several of them.
class absences
{
public:
    using clock = std::chrono::steady_clock;

    /// Notes who is missing now. Returns those that have been missing for at least `grace`.
    std::set<std::string> note(const std::set<std::string>& missing, clock::time_point now,
                               std::chrono::milliseconds grace);

    /// What was seen means nothing any more.
    void forget() noexcept { missing_for_.clear(); }

    clock::time_point looked_at() const noexcept { return looked_at_; }

private:
    std::map<std::string, clock::duration> missing_for_;
    clock::time_point looked_at_{};
};

} // namespace coworker::detail
