#pragma once

#include "process/child_process.hpp"

#include <string>

namespace coworker::demo {

/// A Redis server of the demo's own, on a unix socket in a temporary folder, with an append-only file.
///
/// A keeper process starts the server and removes everything as soon as this process closes its end of a
/// pipe, which happens even if it is killed. If the keeper is killed, the kernel kills the server.
class private_redis
{
public:
    /// @throws std::runtime_error  it does not start; says why.
    private_redis();
    ~private_redis();
    private_redis(const private_redis&) = delete;
    private_redis& operator=(const private_redis&) = delete;

    std::string url() const;
    const std::string& folder() const noexcept { return folder_; }
    bool is_running() { return keeper_.is_running(); }

private:
    cli::file_descriptor lifeline_; ///< the keeper waits for its end
    cli::child_process keeper_;
    std::string folder_;
};

/// What the keeper process does: the other side of `private_redis`, at its standard input and output. Returns
/// the exit status.
int keep_redis();

} // namespace coworker::demo
