#pragma once

#include "program/embedded_redis/embedded_redis.hpp"

#include <string>

namespace coworker::demo {

/// A Redis server of the demo's own, in a new temporary folder. Nothing of it stays, even if this process is
/// killed.
class private_redis
{
public:
    /// @throws std::runtime_error  it does not start; says why.
    private_redis();

    std::string url() const { return server_.url(); }
    const std::string& folder() const noexcept { return server_.folder(); }
    bool is_running() { return server_.is_running(); }

private:
    cli::embedded_redis server_;
};

} // namespace coworker::demo
