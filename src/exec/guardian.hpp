// SPDX-License-Identifier: MIT
#pragma once

#include "exec/child_process.hpp"
#include "exec/command.hpp"
#include "exec/output_lines.hpp"

#include <functional>
#include <string>
#include <vector>

namespace coworker::exec {

/// One run of a command.
struct command_run
{
    file_descriptor control; ///< a side of a socket pair: wishes come in, the `command_end` goes out
    file_descriptor input;   ///< its standard input
    file_descriptor output;  ///< its standard output; none: this process's
    std::string sandbox;     ///< its working directory; is made, and removed at the end
    std::vector<std::string> environment; ///< all of it
    std::string about;                    ///< how its standard error is shown; see `output_lines`
    line_writer write_line = nullptr;
};

/// What a guardian process does: runs the command, and sees to it that nothing of it is left.
///
/// It adopts whatever the command starts, however far down and in whatever session. When the command has ended,
/// or the other side of `control` is closed, which happens even if that process is killed, it kills all of
/// them and removes the sandbox. If the guardian itself is killed, the kernel kills the command.
void guard(const command& what, command_run run);

/// Of a process with one thread.
std::vector<pid_t> children_of_this_process();

/// Kills every child of this process, and their children when they have come to this process, until there is
/// none. Only for a child subreaper.
///
/// @param ended  told of each child that has ended, with its status as `waitpid` has it
void kill_descendants(const std::function<void(pid_t, int)>& ended);

} // namespace coworker::exec
