// SPDX-License-Identifier: MIT
#pragma once

#include "exec/child_process.hpp"

#include <string>

/// What the users of an embedded Redis and its keeper know of its folder.
namespace coworker::program {

inline std::string redis_socket(const std::string& folder)
{
    return folder + "/redis.sock";
}
inline std::string redis_log(const std::string& folder)
{
    return folder + "/redis.log";
}
/// Locked shared by all who use the server, and exclusively by the keeper while it stops it.
inline std::string use_lock(const std::string& folder)
{
    return folder + "/in-use.lock";
}
/// Locked by whoever looks whether the server has to be started.
inline std::string start_lock(const std::string& folder)
{
    return folder + "/start.lock";
}
/// Locked by the keeper as long as it lives: two servers must never write the same files.
inline std::string keeper_lock(const std::string& folder)
{
    return folder + "/keeper.lock";
}

/// Opens a lock file, which is made if it is not there.
///
/// @throws std::system_error
exec::file_descriptor open_lock(const std::string& path);

/// Waits for a lock (`LOCK_SH` or `LOCK_EX`).
void lock(const exec::file_descriptor& file, int kind);

/// What a server answers there, and that it goes; nothing if none answers within a second.
///
/// `question` is a command in words between blanks.
std::string ask_redis(const std::string& socket_path, const std::string& question);

/// A server answers there.
bool redis_answers(const std::string& socket_path);

} // namespace coworker::program
