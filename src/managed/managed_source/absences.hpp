// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>

namespace coworker::detail {

/// For how long workers have been without a connection, as far as monitors have looked, one after the other. Times are
/// those of Redis' clock, and passed in.
///
/// Between two looks a worker may have been there unseen, so a long time between them counts for little: however slow
/// the looks are, a worker has to be missing in several of them.
class absences
{
public:
    using milliseconds = std::chrono::milliseconds;

    absences() = default;
    /// As it was after an earlier look.
    absences(std::map<std::string, milliseconds> missing_for, milliseconds looked_at)
        : missing_for_{std::move(missing_for)}, looked_at_{looked_at}
    {}

    /// Notes who is missing now. Returns those that have been missing for at least `grace`.
    std::set<std::string> note(const std::set<std::string>& missing, milliseconds now, milliseconds grace);

    /// How long until the first of those that are missing has been so for the grace; the maximum if none is.
    milliseconds wait(milliseconds grace) const;

    /// What was seen means nothing any more.
    void forget() noexcept { missing_for_.clear(); }

    bool empty() const noexcept { return missing_for_.empty(); }
    const std::map<std::string, milliseconds>& missing_for() const noexcept { return missing_for_; }
    milliseconds looked_at() const noexcept { return looked_at_; }

private:
    std::map<std::string, milliseconds> missing_for_;
    milliseconds looked_at_{0};
};

} // namespace coworker::detail
