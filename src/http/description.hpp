#pragma once

#include <string_view>

namespace coworker::detail {

/// What the gateway can do, as OpenAPI describes it: the text of `openapi.json`.
std::string_view openapi_description() noexcept;

} // namespace coworker::detail
