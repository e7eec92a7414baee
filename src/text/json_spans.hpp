// SPDX-License-Identifier: MIT
#pragma once

#include "bounds.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Where the parts of a JSON text are, so that a job's bytes stay as they were written: numbers keep their digits.
/// Nothing is built. What is found has been checked, unless a function says otherwise.
namespace coworker::detail {

/// Reads JSON from the front of a text.
class json_reader
{
public:
    explicit json_reader(std::string_view text) : rest_{text} {}

    /// Skips blanks; whether the next character is this one. If so, skips that as well.
    bool accept(char c) noexcept;

    /// The next value, without the blanks around it. Nothing if there is no valid one, or one that is nested too
    /// deeply.
    std::optional<std::string_view> value();

    /// Where the next value is, by its brackets and quotes. It is not checked, but a valid value is found as a whole.
    std::optional<std::string_view> skim() noexcept;

    /// What is between the quotes of the next value, if that is a string of ASCII characters in which nothing is
    /// escaped: most names are. Nothing otherwise; then the value is still to be read.
    std::optional<std::string_view> plain_string() noexcept;

    /// Whether only blanks are left.
    bool at_end() noexcept;

private:
    void skip_blanks() noexcept;

    std::string_view rest_;
};

/// Whether it is one JSON value. What is in Redis need not be: any program may have written it.
bool is_json(std::string_view text);

/// Whether a JSON text is the value false. Clients of qless cannot tell it from data that are missing, and so cannot
/// complete a job that has it.
bool is_json_false(std::string_view json) noexcept;

/// The text without blanks around it.
std::string_view trimmed(std::string_view json) noexcept;

/// The characters of a JSON string; `json` begins with its quote, and is valid.
std::string string_of(std::string_view json);

struct json_member
{
    std::string name;
    std::string_view value;
};

/// The members of an object, in order; none of what is no JSON object.
std::vector<json_member> members_of(std::string_view json);

/// The elements of an array, in order; none of what is no JSON array.
std::vector<std::string_view> elements_of(std::string_view json);

} // namespace coworker::detail
