// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace coworker::program {

/// The shells that `shell_completion` knows.
std::vector<std::string> shells_with_completion();

/// What a shell has to read so that it completes the names of commands and of their options.
///
/// @param shell  one of `shells_with_completion`
std::string shell_completion(const CLI::App& whole, const std::string& shell);

} // namespace coworker::program
