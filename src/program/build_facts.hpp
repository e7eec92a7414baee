// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace coworker::program {

/// What `--version` prints: the version by itself in the first line, for scripts; then what the program was built of.
std::string build_facts();

} // namespace coworker::program
