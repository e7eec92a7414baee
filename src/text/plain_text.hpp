// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text of unknown origin, made fit to be shown to people.
namespace coworker::detail {

/// The text without anything that a terminal obeys: control characters are written as `\n` or `\x1b`, bytes
/// that are not UTF-8 as `\xff`, and characters that turn the direction of writing as `\u202e`.
std::string escaped(std::string_view text);

/// The first `width` characters of an escaped text; the last of them is … if there are more.
std::string shortened(std::string_view text, std::size_t width);

/// The same in single quotes, for messages about what somebody else wrote.
std::string in_quotes(std::string_view text, std::size_t width = 64);

/// How many characters the text has.
std::size_t width_of(std::string_view utf8) noexcept;

/// Two lower-case digits a byte.
std::string hexadecimal(std::string_view bytes);

} // namespace coworker::detail
