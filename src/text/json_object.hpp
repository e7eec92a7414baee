// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/timestamp.hpp"

#include <concepts>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::detail {

/// A JSON string, quotes included. What is not UTF-8 in the text is replaced by U+FFFD.
std::string json_string(std::string_view text);

/// Who reads an object.
enum class json_for
{
    /// Programs. A byte that is not UTF-8 is written as U+FFFD.
    programs,
    /// Scripts and people. Nothing in it steers a terminal, and it is one line. A text that is not UTF-8 is written in
    /// hexadecimal, as a member whose name has `_hex` behind it.
    terminals
};

/// Puts the text of a JSON object together, member by member. Names are plain words.
class json_object
{
public:
    explicit json_object(json_for reader = json_for::programs) : reader_{reader} {}

    json_object& text(std::string_view name, std::string_view value);
    /// The same, but null for an empty one.
    json_object& text_if_any(std::string_view name, std::string_view value);
    json_object& texts(std::string_view name, const std::vector<std::string>& values);
    /// An object of texts, whose names may be any text.
    json_object& texts_by_name(std::string_view name, const std::map<std::string, std::string>& values);
    json_object& number(std::string_view name, std::integral auto value)
    {
        return member(name, std::to_string(value));
    }
    /// As short as it can be without losing a digit; null for what is not finite.
    json_object& number(std::string_view name, double value);
    json_object& boolean(std::string_view name, bool value) { return member(name, value ? "true" : "false"); }
    json_object& null(std::string_view name) { return member(name, "null"); }
    /// RFC 3339, to the microsecond; null if there is none.
    json_object& time(std::string_view name, std::optional<timestamp> value);

    /// JSON text, to the digit as it is.
    json_object& json(std::string_view name, std::string_view value);
    /// The same, but null for what is not JSON.
    json_object& json_or_null(std::string_view name, std::string_view value);
    /// An object of values that are JSON, whose names may be any text; null for what is not JSON.
    json_object& values_by_name(std::string_view name, const std::map<std::string, std::string>& values);
    /// The same, but a text for what is not JSON.
    json_object& json_or_text(std::string_view name, std::string_view value);
    json_object& object(std::string_view name, const json_object& value) { return member(name, value.str()); }
    template<std::derived_from<json_object> Object>
    json_object& objects(std::string_view name, const std::vector<Object>& values)
    {
        return objects(name, values, std::identity{});
    }
    /// A list of the objects that `describe` makes of the values.
    template<class Values, class Describe>
    json_object& objects(std::string_view name, const Values& values, Describe describe)
    {
        std::string list;
        for (const auto& value : values) {
            if (!list.empty())
                list += ',';
            list += describe(value).str();
        }
        return member(name, '[' + list + ']');
    }

    json_for reader() const noexcept { return reader_; }
    std::string str() const { return "{" + members_ + "}"; }

private:
    std::string quoted(std::string_view text) const;
    json_object& member(std::string_view name, std::string_view json);

    json_for reader_;
    std::string members_;
};

} // namespace coworker::detail
