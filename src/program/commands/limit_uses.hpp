// SPDX-License-Identifier: MIT
#pragma once

#include <coworker/job_limits.hpp>

#include <string>
#include <vector>

namespace coworker::program {

/// What is wrong with a value of the command line.
struct unusable_value
{
    std::string why;
};

/// Whether a name that Redis keeps for a job can be this: UTF-8 of at most 256 bytes.
bool is_short_text(const std::string& text);

/// Reads the limits that jobs are subject to: each NAME, or NAME=UNITS.
///
/// @param option  where they stand, for messages: such as "--limit"
/// @throws unusable_value
limit_list read_limit_uses(const std::vector<std::string>& texts, const std::string& option);

} // namespace coworker::program
