// SPDX-License-Identifier: MIT
#pragma once

#include "redis/connection/connection.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace coworker::detail {

/// Something in a list queue that does not fit together.
struct list_finding
{
    bool broken = false; ///< false: left behind by normal use
    std::string kind;    ///< such as "unreadable_start"; the page on the protocol lists them
    std::string key;
    std::string member; ///< what in that key: a payload, a field; of a wrong type the type
    bool repaired = false;
};

/// A part of a consistency check. Pass `next` to go on, until it is "0".
struct list_findings
{
    std::vector<list_finding> items;
    std::string next;
};

/// Looks for what does not fit together in a part of a queue, while it is used. Begin with "0".
///
/// @param repair  put it right as well; no job is ever taken away
/// @param count  about how much to look at, at least 1
asio::awaitable<list_findings> check_list_queue(connection& redis, std::string name, std::string cursor,
                                                bool repair, std::size_t count);

} // namespace coworker::detail
