// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace coworker::detail {

/// Counts what is under way, if it is of that kind.
class counted
{
public:
    counted(std::size_t& count, bool counts) : count_{count}, counts_{counts} { count_ += counts_ ? 1 : 0; }
    ~counted() { count_ -= counts_ ? 1 : 0; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;

private:
    std::size_t& count_;
    bool counts_;
};

} // namespace coworker::detail
