// SPDX-License-Identifier: MIT
#pragma once

#include "redis/survey.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>

/// List queues are found by their keys, since anybody may fill one with LPUSH and tell nobody.
namespace coworker::detail {

/// The queue that a key belongs to; empty: none.
std::string_view queue_of_key(std::string_view key);

/// Whether all keys of a queue are in one slot, if there are slots: others cannot be worked on.
bool can_be_reached(const connection& redis, std::string_view name);

/// Adds the names found among the next thousand or so keys of the database, in a cluster of one node after the other.
/// Returns the cursor to go on with: "0" when all have been seen. Nodes that are missing are passed over.
asio::awaitable<std::string> find_queues(survey& nodes, std::string cursor, std::set<std::string>& names);

/// Goes through the keys again and again, a bounded part at each call, and makes the queues known that it finds.
class queue_finder
{
public:
    /// Looks at about `steps` thousand more keys, unless it has within the last second. So a look at a database of
    /// usual size sees all, and in one of many millions of keys a queue is found after some minutes of looks.
    asio::awaitable<void> go_on(survey& nodes, std::size_t steps = 20);

private:
    std::string cursor_ = "0";
    std::optional<std::chrono::steady_clock::time_point> last_;
};

/// Adds to the set of names by which queues are listed. An error does no harm: they are found again by their keys.
asio::awaitable<void> make_known(connection& redis, const std::set<std::string>& names);
/// The same, unless the node of that set is missing.
asio::awaitable<void> make_known(survey& nodes, const std::set<std::string>& names);

} // namespace coworker::detail
