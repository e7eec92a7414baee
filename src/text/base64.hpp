// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Bytes as text (RFC 4648, section 4), with padding.
namespace coworker::detail {

/// The text of these bytes.
std::string base64_encode(std::string_view bytes);

/// The bytes of a text. Nothing for all that `base64_encode` would not have written: bytes have one text.
std::optional<std::string> base64_decode(std::string_view text);

} // namespace coworker::detail
