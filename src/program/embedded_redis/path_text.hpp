// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace coworker::program {

/// File names are bytes, JSON and URLs are not: what is not printable ASCII is percent-encoded, and what means
/// something in a URL.
std::string encode_path(std::string_view path);
std::string decode_path(std::string_view text);

} // namespace coworker::program
