// SPDX-License-Identifier: MIT
#pragma once

namespace coworker::program {

/// Lets this process open as many files and sockets as the system permits, up to 65,536: the soft limit is often 1024.
void allow_many_files() noexcept;

} // namespace coworker::program
