#pragma once

#include <string_view>

namespace coworker::detail {

/// Whether a JSON text is the value false. Clients of qless cannot tell it from data that are missing, and so cannot
/// complete a job that has it.
constexpr bool is_json_false(std::string_view json) noexcept
{
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = json.find_first_not_of(blanks);
    return first != json.npos && json.substr(first, json.find_last_not_of(blanks) - first + 1) == "false";
}

} // namespace coworker::detail
