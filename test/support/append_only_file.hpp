// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace coworker::test {

/// The whole of a file; empty if there is none.
std::string read_file(const std::filesystem::path& path);

/// What the server with this folder has logged since its start, oldest file first: their names have numbers.
std::vector<std::filesystem::path> append_only_files(const std::string& folder);

/// Leaves the last of these files as a server does that is killed while it writes what a script has done: with the
/// beginning of a transaction, and of its second command. The first pushes to the list `half`.
void write_half_a_transaction(const std::string& folder);

} // namespace coworker::test
