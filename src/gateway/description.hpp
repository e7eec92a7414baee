// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace coworker::detail {

/// What the gateway can do, as OpenAPI describes it: made of the table of routes, and of the parts that these name.
const std::string& openapi_description();

/// A file of the folder `description`: named parts of a kind, such as schemas.
struct description_part
{
    std::string_view kind; ///< as OpenAPI calls it
    std::string_view text; ///< a JSON object
};

/// All of them; those of a kind follow one another.
std::span<const description_part> description_parts() noexcept;

} // namespace coworker::detail
