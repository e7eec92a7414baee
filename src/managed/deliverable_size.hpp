// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_options.hpp"

#include <algorithm>

namespace coworker::detail {

/// The largest job that workers are sent; a larger one fails. Redis closes a subscriber's connection for which more
/// than 32 MB wait, so larger ones need another `client-output-buffer-limit` there.
inline std::size_t deliverable_size(const managed_options& options) noexcept
{
    constexpr std::size_t usual = 24 * 1024 * 1024;
    return std::max(usual, options.max_job_size);
}

} // namespace coworker::detail
