// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

/// The last release beside the present one.
namespace coworker::test {

/// The texts of its scripts by their names, such as "managed/put", as its programs send them (scripts/keep-release).
const std::map<std::string, std::string>& kept_scripts();

/// Whether calls go to its scripts and to the present ones by turns: RELEASES=mixed in the environment.
bool are_releases_mixed();

} // namespace coworker::test
