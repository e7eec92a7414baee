// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace coworker::detail {

/// Whether a text that may come again and again is to be written: the same one twice a minute at most.
///
/// @par Thread safety  Safe.
class repeated_text
{
public:
    using clock = std::chrono::steady_clock;

    bool is_news(std::string_view text, clock::time_point now)
    {
        constexpr std::chrono::seconds pause{30};
        const std::lock_guard lock{mutex_};
        if (written_at_ && text == last_ && now - *written_at_ < pause)
            return false;
        last_ = text;
        written_at_ = now;
        return true;
    }

private:
    std::mutex mutex_;
    std::string last_;
    std::optional<clock::time_point> written_at_; ///< empty: not yet
};

} // namespace coworker::detail
