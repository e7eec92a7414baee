#pragma once

#include "exec/child_process.hpp"

#include <boost/asio/awaitable.hpp>

#include <array>
#include <string>

namespace coworker::demo {

namespace asio = boost::asio;

/// The two worker processes, numbered 1 and 2, of which one is to be killed.
class worker_pair
{
public:
    void start(const std::string& redis_url, const std::string& queue);

    pid_t process(unsigned number) const { return processes_.at(number - 1).id(); }

    /// With SIGKILL, once. Returns when the process is gone.
    void kill(unsigned number);
    unsigned killed() const noexcept { return killed_; }

    /// @throws std::runtime_error  a worker has ended and should not have.
    void check();

    /// Tells those that are left to stop. Returns whether they did so, soon and well.
    asio::awaitable<bool> stop();

    void kill_all() noexcept;

private:
    std::array<cli::child_process, 2> processes_;
    unsigned killed_ = 0;
};

} // namespace coworker::demo
