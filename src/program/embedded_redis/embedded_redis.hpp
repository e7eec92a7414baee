// SPDX-License-Identifier: MIT
#pragma once

#include "exec/child_process.hpp"

#include <string>
#include <vector>

namespace coworker::program {

/// The word that makes this program the keeper of a Redis server. Not for people.
constexpr const char* keeper_word = "@keep-redis";

/// A Redis server that belongs to a folder, with its data in it, and is reached by a unix socket there.
///
/// Whoever needs it first starts it, and all who use it at the same time share it. A keeper process stops it
/// when the last of them is gone, however that came about: each holds a shared lock on a file of the folder, which the
/// kernel takes away with the process, and the keeper waits for an exclusive one. If the keeper is killed, the
/// kernel kills the server.
class embedded_redis
{
public:
    enum class stay
    {
        keep,  ///< the data are there the next time
        remove ///< the folder is removed with everything in it when the server has ended
    };

    /// @param folder  made if it is not there
    /// @throws std::runtime_error  The server cannot be started; says why, and what to do.
    explicit embedded_redis(const std::string& folder, stay data = stay::keep);
    /// With `stay::remove`, waits until all is gone.
    ~embedded_redis();
    embedded_redis(const embedded_redis&) = delete;
    embedded_redis& operator=(const embedded_redis&) = delete;

    const std::string& folder() const noexcept { return folder_; }
    std::string url() const;

    /// For whoever has started it.
    bool is_running() { return keeper_.is_running(); }

private:
    void start();

    std::string folder_;
    stay data_;
    exec::file_descriptor use_; ///< with the shared lock
    exec::child_process keeper_;
};

/// The folder for the embedded server of this user: in $XDG_DATA_HOME, else ~/.local/share.
///
/// @throws std::runtime_error  There is neither.
std::string default_redis_folder();

/// What the keeper process does. Returns the exit status.
int run_redis_keeper(const std::vector<std::string>& words);

} // namespace coworker::program
