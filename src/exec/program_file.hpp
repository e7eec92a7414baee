// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace coworker::exec {

/// The absolute path of a program that is called by a name, as a shell finds it: on the PATH, unless there is a
/// slash in the name.
///
/// @throws std::runtime_error  There is none, or it cannot be executed; says so.
std::string find_program(const std::string& name);

} // namespace coworker::exec
