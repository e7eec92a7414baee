// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace coworker::test {

/// What a "$ref" in the document leads to; other values are themselves.
const boost::json::value& resolve(const boost::json::value& document, const boost::json::value& value);

/// Checks a value against a schema, as far as the gateway's description uses them: type, required, properties,
/// additionalProperties, items, oneOf, enum and const. Returns what does not fit, "" if all does.
std::string mismatch(const boost::json::value& document, const boost::json::value& schema,
                     const boost::json::value& value);

} // namespace coworker::test
