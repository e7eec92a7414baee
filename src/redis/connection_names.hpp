// SPDX-License-Identifier: MIT
#pragma once

#include "redis/connection.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace coworker::detail {

/// The names in a reply to CLIENT LIST.
std::set<std::string> connection_names(std::string_view client_list);

/// The names of all connections to Redis; nothing if it refuses to tell.
asio::awaitable<std::optional<std::set<std::string>>> connected_names(connection& redis);

} // namespace coworker::detail
