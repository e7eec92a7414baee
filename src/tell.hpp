// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/event.hpp"

namespace coworker::detail {

/// Tells an observer what has happened. What it throws is its own trouble.
inline void tell(const observer& who, const event& what) noexcept
{
    try {
        if (who)
            who(what);
    } catch (...) {
    }
}

} // namespace coworker::detail
