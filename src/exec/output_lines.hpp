#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace coworker::cli {

/// What a command writes to its standard error, as it is to be shown: as it is, or each line as a JSON object, so that
/// all lines of a log are objects and say of which job they are.
class output_lines
{
public:
    /// @param about  the members of each object that say which job it is, as a JSON object; empty: as it is
    explicit output_lines(std::string about) : about_{std::move(about)} {}

    /// Takes a part of the text. Returns what is to be shown now: of objects, whole lines.
    std::string add(std::string_view part);

    /// Nothing more comes: the rest is a line, too.
    std::string end();

    /// The line that tells how many bytes were left out.
    std::string describe_loss(std::uint64_t bytes) const;

private:
    static constexpr std::size_t longest_text = 2000; ///< of one object; a longer line becomes several
    static constexpr std::size_t longest_line = 4096; ///< what a pipe takes in one piece

    void show_line(std::string_view text, std::string& shown) const;
    std::string object(std::string_view level, std::string_view text) const;

    std::string about_;
    std::string growing_; ///< a line that has not ended
};

} // namespace coworker::cli
