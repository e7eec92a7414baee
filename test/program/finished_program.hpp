// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace coworker::test {

/// What a program did that has ended.
struct finished_program
{
    int code = 0; ///< or minus the number of the signal that ended it
    std::string output;
    std::string errors;

    /// The lines of the output.
    std::vector<std::string> lines() const;
    bool says(std::string_view words) const { return output.find(words) != output.npos; }
    bool complains(std::string_view words) const { return errors.find(words) != errors.npos; }
};

struct program_surroundings
{
    std::string input{};                    ///< on standard input
    std::vector<std::string> environment{}; ///< such as "NO_COLOR=1"; COWORKER_REDIS is not set unless here
    std::string output_file{};              ///< where standard output goes; it is not returned then
    bool closed_output = false;             ///< nobody reads standard output
    bool terminal = false; ///< output and errors go to a terminal of 100 columns; both stand in `output`
};

/// Runs `coworker` to its end.
finished_program run_coworker(const std::vector<std::string>& arguments,
                              const program_surroundings& surroundings = {});

/// The same without a process of its own, for what is refused or shown at once: to start a program that a sanitizer
/// watches takes a fifth of a second.
finished_program run_coworker_here(const std::vector<std::string>& arguments);

} // namespace coworker::test
