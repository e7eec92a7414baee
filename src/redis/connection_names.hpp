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
/// tell, or does not show the one that asks: then others may be missing, too.
asio::awaitable<std::optional<std::set<std::string>>> connected_names(connection& redis);
/// The same of the nodes that answer.
asio::awaitable<std::optional<std::set<std::string>>> connected_names(survey& nodes);

} // namespace coworker::detail
