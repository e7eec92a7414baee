// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "redis/connection.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace coworker::detail {

/// A connection to Redis, as `CLIENT LIST` shows it.
struct connection_line
{
    std::string address;
    std::chrono::seconds age{0};
};

/// By name; those without a name are left out.
std::map<std::string, connection_line> read_connections(std::string_view client_list);

/// All connections of the server; nothing if it refuses to tell.
asio::awaitable<std::optional<std::map<std::string, connection_line>>> list_connections(connection& redis);

} // namespace coworker::detail
