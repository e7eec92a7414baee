// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>

namespace coworker::detail {

/// When to ask a cluster again who serves what. Many calls may find at the same moment that it has changed: they are
/// answered by one question.
class refresh_pace
{
public:
    using clock = std::chrono::steady_clock;

    struct settings
    {
        std::chrono::milliseconds pause{50}; ///< between the end of one question and the next one
        std::chrono::milliseconds longest_pause{
            1'000};                                 ///< it doubles with each question that follows so soon
        std::chrono::milliseconds interval{30'000}; ///< between questions for which there is no reason
    };

    explicit refresh_pace(settings how) : how_{how}, pause_{how.pause} {}
    refresh_pace() : refresh_pace{settings{}} {}

    /// Something has shown that what is known is out of date.
    void want() noexcept { is_wanted_ = true; }

    /// When the next question is due.
    clock::time_point due() const noexcept
    {
        if (!has_asked_)
            return clock::time_point::min();
        return ended_ + (is_wanted_ ? pause_ : std::max(how_.interval, pause_));
    }

    /// A question is asked. What is wanted from now on is not answered by it.
    void begin(clock::time_point now) noexcept
    {
        const bool is_soon = has_asked_ && now < ended_ + 2 * pause_;
        pause_ = is_soon ? std::min(2 * pause_, how_.longest_pause) : how_.pause;
        is_wanted_ = false;
    }

    /// It was answered, or nobody answered. `helps` is false when there is a reason to ask again: no answer, or one
    /// that leaves out slots.
    void end(clock::time_point now, bool helps) noexcept
    {
        is_wanted_ = is_wanted_ || !helps;
        ended_ = now;
        has_asked_ = true;
    }

private:
    settings how_;
    std::chrono::milliseconds pause_;
    clock::time_point ended_{};
    bool is_wanted_ = false;
    bool has_asked_ = false;
};

} // namespace coworker::detail
