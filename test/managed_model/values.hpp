// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json/value.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Numbers and JSON as the protocol has them.
namespace coworker::test::model {

namespace json = boost::json;

using strings = std::vector<std::string>;
using optional_text = std::optional<std::string>;

/// Why a command is not carried out.
struct refusal : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// A number as Lua reads it; only finite ones count.
std::optional<double> to_number(const optional_text& text);

std::string text17(double number);       ///< as a number is stored
std::string text14(double number);       ///< as a number is written into JSON and into names of keys
std::string text_of_time(double number); ///< as the field `time` is stored
/// What is left of a number in JSON.
double rounded14(double number);

/// The time at which the day of `now` began.
double day_of(double now);

/// A text with the word that Lua has for an absent one.
inline std::string shown(const optional_text& text)
{
    return text.value_or("nil");
}

/// Reads JSON; refuses in the words of cjson.
json::value decode(const optional_text& text);

/// A JSON list of texts, or an empty object; nothing if it is something else.
std::optional<strings> to_list(const json::value& value);
json::value to_json(const strings& texts);

/// A text in quotes, as cjson writes it.
std::string in_quotes(std::string_view text);

/// Makes values comparable: an empty object becomes an empty list, numbers become doubles, texts that are
/// numbers are spelt as Redis 7.0 does, and the members of objects and lists whose order Redis leaves open are sorted.
void normalise(json::value& value);
/// JSON text in the form that is left by `normalise`; any other text as it is.
std::string canonical(const std::string& text);

} // namespace coworker::test::model
