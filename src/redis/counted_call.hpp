// SPDX-License-Identifier: MIT
#pragma once

#include "signal.hpp"

#include <cstddef>

namespace coworker::detail {

/// Counts an operation while it is under way, and tells of its end.
class counted_call
{
public:
    counted_call(std::size_t& count, signal& ended) : count_{count}, ended_{ended} { ++count_; }
    ~counted_call()
    {
        if (--count_ == 0)
            ended_.notify();
    }
    counted_call(const counted_call&) = delete;
    counted_call& operator=(const counted_call&) = delete;

private:
    std::size_t& count_;
    signal& ended_;
};

} // namespace coworker::detail
