// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <sys/types.h>
#include <sys/wait.h>
#include <system_error>

namespace coworker::test {

/// Waits until a process that was started here has ended. Returns its exit code, or minus the number of the signal that
/// ended it.
inline int end_of(pid_t id)
{
    int status = 0;
    while (::waitpid(id, &status, 0) != id)
        if (errno != EINTR)
            throw std::system_error{errno, std::generic_category(), "waitpid"};
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

} // namespace coworker::test
