// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace coworker::detail {

/// What the gateway can do, as OpenAPI describes it. A test compares it with the table of routes.
const std::string& openapi_description();

/// The pieces of openapi.json, which has VERSION in place of the library's version.
std::span<const std::string_view> openapi_pieces() noexcept;

} // namespace coworker::detail
