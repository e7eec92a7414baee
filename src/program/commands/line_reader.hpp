// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coworker::program {

/// A line that was read, without its end.
struct numbered_line
{
    std::uint64_t number = 0; ///< from 1
    std::string text;
    bool too_long = false; ///< the text is left out
};

/// Reads a file line by line, as much at a time as there is: from a pipe what has been written so far, from
/// a file a part of limited size. So memory stays small however long the file is.
class line_reader
{
public:
    /// @param path  "-": standard input
    /// @param longest  bytes of a line; longer ones are passed over
    /// @throws failure  `exit_code::not_found`: there is no such file; `exit_code::failed`: it cannot be read.
    line_reader(const std::string& path, std::size_t longest);
    ~line_reader();
    line_reader(const line_reader&) = delete;
    line_reader& operator=(const line_reader&) = delete;

    /// The next lines; blank ones are left out. Waits for one. None: the end.
    std::vector<numbered_line> read();

private:
    std::size_t read_part();
    void take_lines(std::string_view part, std::vector<numbered_line>& lines);
    void end_line(std::vector<numbered_line>& lines);

    std::string path_;
    std::size_t longest_;
    int file_ = -1;
    std::string part_;
    std::string begun_; ///< a line whose end has not been read
    bool too_long_ = false;
    std::uint64_t lines_ = 0;
};

} // namespace coworker::program
