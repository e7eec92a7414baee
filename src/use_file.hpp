// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

#include <string>

namespace coworker::detail {

/// Calls `read` with a file that an option names.
///
/// @throws system_error  `errc::invalid_option` in place of any other, naming the option and the file.
void use_file(const char* option, const std::string& file, auto read)
{
    try {
        read(file);
    } catch (const system_error& error) {
        throw explained_error{errc::invalid_option,
                              std::string{option} + " '" + file + "': " + error.code().message()};
    }
}

} // namespace coworker::detail
