#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coworker::program {

/// A queue as it is named on the command line: `NAME` is a list queue, `managed:NAME` a managed one, and
/// `list:NAME` a list queue whose name may begin with either.
struct queue_name
{
    bool managed = false;
    std::string name;

    /// As it is named on the command line.
    std::string str() const;

    friend bool operator==(const queue_name&, const queue_name&) = default;
};

/// @throws failure  `exit_code::usage`: the name is empty or too long.
queue_name parse_queue_name(std::string_view text);
std::vector<queue_name> parse_queue_names(const std::vector<std::string>& texts);

} // namespace coworker::program
