// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace coworker::detail {

/// A kind of jobs for people, of how the scripts call it: "mail", or "mail (version 2)".
inline std::string shown_kind(std::string_view stored)
{
    const auto zero = stored.find('\0');
    if (zero == stored.npos)
        return std::string{stored};
    return std::string{stored.substr(0, zero)} + " (version " + std::string{stored.substr(zero + 1)} + ')';
}

} // namespace coworker::detail
