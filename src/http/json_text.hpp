#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Where the parts of a JSON text are, so that a job's bytes reach the queue as the client wrote them:
/// numbers keep their digits. The text must be valid JSON.
namespace coworker::detail {

struct json_member
{
    std::string name;
    std::string_view value;
};

/// The text without blanks around it.
std::string_view trimmed(std::string_view json);

/// The members of an object, in order; `json` begins with its brace.
std::vector<json_member> members_of(std::string_view json);

/// The elements of an array, in order; `json` begins with its bracket.
std::vector<std::string_view> elements_of(std::string_view json);

/// The characters of a JSON string; `json` begins with its quote.
std::string string_of(std::string_view json);

} // namespace coworker::detail
