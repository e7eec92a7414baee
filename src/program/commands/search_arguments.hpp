// SPDX-License-Identifier: MIT
#pragma once

#include "program/options.hpp"

#include <coworker/inspect/job_filter.hpp>

#include <optional>
#include <string>

namespace coworker::program {

/// Which jobs of a state are meant.
struct search_arguments
{
    std::string text, tag, kind, worker, batch, since, until;

    bool is_any() const noexcept;

    /// @param now  what ages are measured to
    /// @throws failure  `exit_code::usage`: a time is none
    job_filter read(job_state state, timestamp now) const;
};

void add_search_options(command_options command, search_arguments& given);

} // namespace coworker::program
