// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Bytes in URLs: "%2F" for a slash.
namespace coworker::detail {

/// The text with every byte encoded that is not plain.
std::string percent_encoded(std::string_view text, bool (*is_plain)(char letter));

/// Nothing if a % is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

} // namespace coworker::detail
