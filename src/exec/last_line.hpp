// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace coworker::exec {

/// Remembers the last line of a text that comes in parts, in little memory: of a longer line, the beginning.
class last_line
{
public:
    static constexpr std::size_t longest = 2000; ///< bytes

    void add(std::string_view part);

    /// The last line that is not blank, without blanks at its ends. Never cut within a UTF-8 character.
    std::string text() const;

private:
    std::string complete_; ///< the last line that has ended and is not blank
    std::string growing_;  ///< the line that has not ended
};

} // namespace coworker::exec
