// SPDX-License-Identifier: MIT
#pragma once

#include "redis/survey.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace coworker::detail {

/// The names in a reply to CLIENT LIST.
std::set<std::string> connection_names(std::string_view client_list);

/// The names of all connections to Redis, in a cluster to all primaries that can be reached; nothing if it refuses to
/// tell.
asio::awaitable<std::optional<std::set<std::string>>> connected_names(connection& redis);
/// The same of the nodes that answer.
asio::awaitable<std::optional<std::set<std::string>>> connected_names(survey& nodes);

/// Adds the names of connections to the other primaries of a cluster: while a slot moves, a worker may be connected to
/// its old node only. Returns whether it is certain that who is in none of them has no connection. On one server:
/// always.
asio::awaitable<bool> add_names_elsewhere(connection& redis, std::set<std::string>& names);

} // namespace coworker::detail
