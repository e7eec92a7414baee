// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace coworker::detail {

/// The length of the UTF-8 character at the front of the text; 0 if there is none.
std::size_t character_size(std::string_view text) noexcept;

bool is_utf8(std::string_view text) noexcept;

/// The text with U+FFFD for each byte that is not UTF-8.
std::string make_utf8(std::string_view text);

} // namespace coworker::detail
