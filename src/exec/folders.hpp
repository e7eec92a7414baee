// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace coworker::exec {

/// Makes a new folder below `base` that only this user can enter.
///
/// @throws std::system_error
std::string make_folder(const std::string& base, const std::string& name);

/// Removes a folder with everything in it, also what nobody may write to. Never follows a link. Returns whether
/// nothing is left.
bool remove_folder(const std::string& path) noexcept;

} // namespace coworker::exec
