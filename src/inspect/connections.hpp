// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "redis/survey.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace coworker::detail {

/// A connection to Redis, as `CLIENT LIST` shows it.
struct connection_line
{
    std::string address;
    timestamp since{}; ///< by its server's clock
};

/// By name; those without a name are left out.
std::map<std::string, connection_line> read_connections(std::string_view client_list, timestamp now);

/// All connections of the server, or of the nodes that answer; nothing if none of them tells, or one
/// does not show the connection that asks.
asio::awaitable<std::optional<std::map<std::string, connection_line>>> list_connections(survey& nodes);

} // namespace coworker::detail
