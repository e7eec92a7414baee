// SPDX-License-Identifier: MIT
#pragma once

#include "exec/child_process.hpp"
#include "exec/command.hpp"
#include "exec/output_lines.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coworker::exec {

/// The word that makes this program a launcher process. Not for people.
constexpr const char* launcher_word = "@run-commands";

/// A small process that starts a guardian, as a fork of its own, for each run of a command. (A fork of this
/// process would copy its connections and its memory; starting the whole program anew would cost more than
/// many a command does.) It ends when this object is gone, also if this process is killed; its guardians
/// too.
class launcher
{
public:
    /// @throws std::runtime_error  It cannot be started, or cannot write to where the sandboxes are to be.
    explicit launcher(const command& what);
    /// Waits until all is cleaned up.
    ~launcher();
    launcher(const launcher&) = delete;
    launcher& operator=(const launcher&) = delete;

    /// To wait for room, and for the process' end.
    int file() const noexcept { return socket_.get(); }

    /// Runs the command. The files are copied on the way. Returns false if there is no room at the moment.
    ///
    /// @param what  all but the text
    /// @throws std::system_error  The process is gone, or the variables are too large.
    bool start(int control, const command_input& what);

private:
    std::string folder_; ///< where the sandboxes are
    file_descriptor socket_;
    child_process process_;
};

/// What the launcher process does, at its standard input. Returns the exit status.
///
/// @param write_line  for commands that were started with `command_input::about`
int run_launcher(const std::vector<std::string>& words, line_writer write_line);

} // namespace coworker::exec
