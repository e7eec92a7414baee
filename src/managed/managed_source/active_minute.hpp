// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>

namespace coworker::detail {

/// When the leader has to note what became of jobs in the histories of the queues: once for each minute in which some
/// may have ended. Time is passed in.
class active_minute
{
public:
    using clock = std::chrono::steady_clock;

    /// Jobs may have ended until now.
    void touch(clock::time_point now) noexcept { touched_ = now; }

    /// Whether jobs may have ended since it was noted.
    bool is_open() const noexcept { return touched_.has_value(); }

    /// Whether it has to be noted before `touch`: they ended in a minute that is over, or nothing was noted ever.
    bool is_over(clock::time_point now) const noexcept
    {
        return !minute_end_ || (touched_ && minute_of(*touched_) != minute_of(now));
    }

    /// How long ago the last may have ended.
    std::chrono::milliseconds age(clock::time_point now) const noexcept
    {
        return touched_ ? std::chrono::floor<std::chrono::milliseconds>(now - *touched_)
                        : std::chrono::milliseconds{0};
    }

    /// All until now was noted; the minute that Redis' clock shows ends after `rest`.
    void note(clock::time_point now, std::chrono::milliseconds rest) noexcept
    {
        touched_.reset();
        minute_end_ = now + rest;
    }

private:
    std::chrono::minutes minute_of(clock::time_point time) const noexcept
    {
        return std::chrono::floor<std::chrono::minutes>(time - *minute_end_);
    }

    std::optional<clock::time_point> touched_;
    std::optional<clock::time_point> minute_end_; ///< of any minute
};

} // namespace coworker::detail
