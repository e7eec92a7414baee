// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Bytes as text (RFC 4648).
namespace coworker::detail {

/// The text of these bytes, with padding (section 4).
std::string base64_encode(std::string_view bytes);

/// The bytes of a text. Nothing for all that `base64_encode` would not have written: bytes have one text.
std::optional<std::string> base64_decode(std::string_view text);

/// The same for URLs, without padding (section 5): carries any bytes through JSON.
std::string to_base64url(std::string_view bytes);

/// Nothing for what `to_base64url` does not make.
std::optional<std::string> from_base64url(std::string_view text);

} // namespace coworker::detail
