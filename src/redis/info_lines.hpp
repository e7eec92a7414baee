// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace coworker::detail {

/// The value of a line of INFO; empty if there is none.
std::string_view line_of_info(std::string_view info, std::string_view name);

} // namespace coworker::detail
