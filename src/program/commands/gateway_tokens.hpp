// SPDX-License-Identifier: MIT
#pragma once

#include <coworker/gateway.hpp>

#include <string>

namespace coworker::program {

/// The tokens in a file, a line for each: NAME RIGHTS TOKEN, or the token alone, which is called "token" and allows
/// everything. Empty lines and those that begin with # are passed over.
///
/// @param option  that names the file, for what is said of it
/// @throws failure  It cannot be read, has no token, or a line is wrong.
gateway_tokens read_token_file(const std::string& option, const std::string& name);

} // namespace coworker::program
