// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace coworker::test {

/// What tells why something is wrong with the job whose id, "job-" and a number, stands in the text: the commands that
/// mention it in the append-only files below each of the `folders`, first to last, and the lines of `record` of its
/// runs. Empty if there is no id.
std::string traces_of_job_in(const std::string& text, const std::vector<std::string>& folders,
                             const std::string& record);

} // namespace coworker::test
