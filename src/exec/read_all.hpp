// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <string>

#include <unistd.h>

namespace coworker::exec {

/// Reads from a file descriptor until the other side is closed, or nothing can be read any more.
inline std::string read_all(int file)
{
    std::string text;
    char part[4096];
    for (;;) {
        const auto size = ::read(file, part, sizeof part);
        if (size > 0)
            text.append(part, static_cast<std::size_t>(size));
        else if (size == 0 || errno != EINTR)
            return text;
    }
}

} // namespace coworker::exec
