// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace coworker::test {

/// What tells why a job that was accepted has not run: the commands that mention it in the append-only files
/// below each of the `folders`, first to last, and the lines of `record` in which its number stands.
std::string traces_of(const std::string& number, const std::vector<std::string>& folders,
                      const std::string& record);

} // namespace coworker::test
