// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace coworker::program {

/// How the program tells a script what became of a command.
enum class exit_code
{
    done = 0,
    failed = 1,      ///< Redis could not do its part, or anything else went wrong
    usage = 2,       ///< the command line makes no sense
    not_found = 3,   ///< something that was named does not exist
    partly = 4,      ///< a part of the work failed; the rest has been done
    unconfirmed = 5, ///< all is done, but it is not known to survive what it was to survive
};

/// Ends a command. The text goes to standard error and says what to do.
class failure : public std::runtime_error
{
public:
    failure(exit_code code, const std::string& text) : std::runtime_error{text}, code_{code} {}

    exit_code code() const noexcept { return code_; }

private:
    exit_code code_;
};

/// Ends a command: what was typed makes no sense.
[[noreturn]] inline void refuse(const std::string& why)
{
    throw failure{exit_code::usage, why};
}

} // namespace coworker::program
