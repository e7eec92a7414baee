// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <random>

namespace coworker::detail {

/// How long to wait before the next attempt to reconnect: doubled each time, with half of it random,
/// so that many workers do not come back at the same moment.
class reconnect_backoff
{
public:
    reconnect_backoff(std::chrono::milliseconds minimum, std::chrono::milliseconds maximum)
        : minimum_{std::max(minimum, std::chrono::milliseconds{1})}, maximum_{std::max(minimum_, maximum)},
          next_{minimum_}
    {}

    void reset() noexcept { next_ = minimum_; }

    template<class Random>
    std::chrono::milliseconds next(Random& random)
    {
        const auto longest = next_;
        next_ = std::min(next_ * 2, maximum_);
        std::uniform_int_distribution<std::chrono::milliseconds::rep> pick{longest.count() / 2,
                                                                           longest.count()};
        return std::chrono::milliseconds{pick(random)};
    }

private:
    std::chrono::milliseconds minimum_, maximum_, next_;
};

} // namespace coworker::detail
