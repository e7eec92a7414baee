// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/job_info.hpp"
#include "text/json_object.hpp"

#include <string>
#include <string_view>
#include <vector>

/// What a job of a managed queue was pushed with, as it is shown: by JSON, by `coworker job`, and described by OpenAPI.
namespace coworker::detail {

struct shown_option
{
    std::string_view name;  ///< of the member, in JSON
    std::string_view title; ///< for people, at most 13 letters; empty: they see it with another
    std::string_view about; ///< for OpenAPI
    std::string schema;     ///< members of the schema in OpenAPI
    void (*describe)(json_object& out, std::string_view name, const job_options& options, json_for reader);
    std::string (*text)(const job_options& options); ///< for people; empty: nothing to show
};

/// All of them, in order.
const std::vector<shown_option>& shown_options();

/// What OpenAPI says of them: members of a JSON object, without its braces.
std::string schemas_of_shown_options();

} // namespace coworker::detail
