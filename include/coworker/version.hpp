// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// The version, for `#if`: 10000 * major + 100 * minor + patch. CMake reads the three numbers from here.
#define COWORKER_VERSION_MAJOR 0
#define COWORKER_VERSION_MINOR 1
#define COWORKER_VERSION_PATCH 0
#define COWORKER_VERSION                                                                                     \
    (COWORKER_VERSION_MAJOR * 10000 + COWORKER_VERSION_MINOR * 100 + COWORKER_VERSION_PATCH)
#define COWORKER_VERSION_STRING "0.1.0"

namespace coworker {

/// The version of these headers, such as "0.1.0".
inline constexpr std::string_view version = COWORKER_VERSION_STRING;

} // namespace coworker
