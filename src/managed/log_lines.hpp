// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_log.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Lines that handlers log, as `note.lua` takes and stores them.
namespace coworker::detail {

/// [[age in ms,"text"],…]
std::string log_text(std::span<const noted_line> lines);

/// What stands in the record: seconds, a blank and a JSON string, one below the other. Lines of others are left out.
std::vector<job_log_line> read_log(std::string_view stored);

} // namespace coworker::detail
