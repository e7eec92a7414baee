// SPDX-License-Identifier: MIT
#pragma once

#include "text/json_object.hpp"

#include <utility>

namespace coworker::program {

/// A JSON object on one line, for scripts.
struct json_line : detail::json_object
{
    json_line() : json_object{detail::json_for::terminals} {}
    json_line(json_object line) : json_object{std::move(line)} {}
};

} // namespace coworker::program
