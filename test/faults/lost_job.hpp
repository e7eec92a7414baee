// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace coworker::test {

/// What tells why a job that was accepted has not run: the commands that mention it in the append-only file below
/// `folder`, first to last, and the lines of `record` in which its number stands.
std::string traces_of(const std::string& number, const std::string& folder, const std::string& record);

} // namespace coworker::test
