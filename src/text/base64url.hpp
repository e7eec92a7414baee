// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Base64 for URLs, RFC 4648 section 5, without padding: carries any bytes through JSON.
namespace coworker::detail {

std::string to_base64url(std::string_view bytes);

/// Nothing for what `to_base64url` does not make.
std::optional<std::string> from_base64url(std::string_view text);

} // namespace coworker::detail
