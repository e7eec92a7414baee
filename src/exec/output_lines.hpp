// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace coworker::exec {

/// Makes a line, without its end, of what a command wrote.
///
/// @param about  which command it was
/// @param level  "info", or "warning" if it is about what was lost
using line_writer = std::string (*)(std::string_view about, std::string_view level, std::string_view text);

/// What a command writes to its standard error, as it is to be shown: as it is, or each line as a `line_writer`
/// writes it.
class output_lines
{
public:
    /// @param about  given to `write`; empty: lines are shown as they are
    output_lines(std::string about, line_writer write) : about_{std::move(about)}, write_{write} {}

    /// Takes a part of the text. Returns what is to be shown now: written lines as a whole.
    std::string add(std::string_view part);

    /// Nothing more comes: the rest is a line, too.
    std::string end();

    /// The line that tells how many bytes were left out.
    std::string describe_loss(std::uint64_t bytes) const;

private:
    static constexpr std::size_t longest_text = 2000; ///< of one written line; a longer one becomes several
    static constexpr std::size_t longest_line = 4096; ///< what a pipe takes in one piece

    void show_line(std::string_view text, std::string& shown) const;
    std::string written(std::string_view level, std::string_view text) const;

    std::string about_;
    line_writer write_;
    std::string growing_; ///< a line that has not ended
};

} // namespace coworker::exec
