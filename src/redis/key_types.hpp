// SPDX-License-Identifier: MIT
#pragma once

#include "redis/connection/connection.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coworker::detail {

/// Keys, and what TYPE should say of each that exists.
using expected_types = std::vector<std::pair<std::string, std::string_view>>;

/// Throws `errc::wrong_key_type` for the first key that holds something else.
asio::awaitable<void> check_key_types(connection& redis, expected_types expected);

} // namespace coworker::detail
