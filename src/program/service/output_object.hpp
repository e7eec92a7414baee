// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace coworker::program {

/// A line of a command's standard error as a JSON object, like the lines of the log beside it.
///
/// @param about  the members that say which job it is, as a JSON object
std::string output_object(std::string_view about, std::string_view level, std::string_view text);

} // namespace coworker::program
