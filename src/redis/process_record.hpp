// SPDX-License-Identifier: MIT
#pragma once

#include "redis/connection/connection.hpp"

#include <string>

namespace coworker::detail {

/// A hash of what workers tell of the process they run in, by the names of their connections: JSON text.
inline constexpr const char* processes_key = "hworker-processes";

/// {"host":"…","process":…,"version":"…","started":…}, the time in seconds since 1970.
std::string describe_this_process();

/// Tells that a worker runs in this process. Forgets those without a connection when many are noted. Nothing depends
/// on the record, so errors that Redis answers do no harm.
asio::awaitable<void> note_process(connection& redis);

/// The worker has ended.
asio::awaitable<void> forget_process(connection& redis);

} // namespace coworker::detail
