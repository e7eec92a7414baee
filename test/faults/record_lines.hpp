// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

/// Files in which processes leave lines that are made to be killed.
namespace coworker::test {

inline int open_record(const char* name)
{
    return ::open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/// In one piece, so that what was written survives SIGKILL. Only a process that is killed while its line passes from
/// one page of the file to the next leaves a part of it, about one kill in ten thousand: so that another's line is not
/// joined to that, each begins a new line, and has a mark at its end.
inline void write_down(int file, const std::string& line)
{
    const auto text = '\n' + line + ".\n";
    if (::write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        std::abort();
}

/// The lines from the byte `begin` on that were written whole. Moves `begin` behind what need not be read again.
inline std::vector<std::string> read_lines(const std::string& path, std::size_t& begin)
{
    std::vector<std::string> lines;
    std::ifstream file{path};
    file.seekg(static_cast<std::streamoff>(begin));
    for (std::string line;
         std::getline(file, line) && !file.eof();) { // what is being written is left for later
        begin += line.size() + 1;
        if (!line.ends_with('.'))
            continue;
        line.pop_back();
        lines.push_back(std::move(line));
    }
    return lines;
}

inline std::vector<std::string> read_lines(const std::string& path)
{
    std::size_t begin = 0;
    return read_lines(path, begin);
}

} // namespace coworker::test
