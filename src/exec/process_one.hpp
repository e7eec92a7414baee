// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

namespace coworker::exec {

/// What process 1 of a container owes to the others there. A process whose parent has ended becomes its child, and stays a
/// zombie until somebody waits for it.
///
/// In process 1, and in a process that has asked for this role ("child subreaper"), the program goes on in a child. This
/// process hands signals on to it and waits for everybody. When the child has ended, this returns the exit code: its own,
/// or 128 and the number of the signal that ended it. Returns nothing in the child, and in any other process.
///
/// To be called before there is a second thread.
std::optional<int> stand_in_as_process_one();

} // namespace coworker::exec
