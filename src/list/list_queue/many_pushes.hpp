// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace coworker::detail {

/// Jobs that one call pushes to a list queue, and what became of them.
struct many_pushes
{
    std::vector<push_options> options; ///< of each job, or one for all
    std::vector<std::string> ids{}, payloads{};

    std::vector<char> refused{};            ///< of each, whether its id was remembered; empty: none was
    std::vector<char> full{};               ///< of each, whether the queue was full; empty: it never was
    std::vector<std::string> unconfirmed{}; ///< of each, why it is not confirmed; empty: all are

    const push_options& how(std::size_t i) const noexcept { return options[options.size() == 1 ? 0 : i]; }
};

/// Where some of them stand.
using push_places = std::span<const std::size_t>;

} // namespace coworker::detail
