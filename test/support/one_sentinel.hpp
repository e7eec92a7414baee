// SPDX-License-Identifier: MIT
#pragma once

#include "support/process.hpp"
#include "support/raw_redis.hpp"
#include "support/temporary_folder.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coworker::test {

struct sentinel_options
{
    /// The port of the primary, which is on 127.0.0.1.
    int primary = 0;
    /// The Sentinels' name for it.
    std::string name = "jobs";
    /// Where the Sentinel listens.
    std::string address = "127.0.0.1";
    /// Listen with TLS, and without it nowhere but on the unix socket.
    bool tls = false;
    /// Further lines of its configuration, such as "requirepass secret".
    std::vector<std::string> config{};
};

/// A Sentinel that decides alone, on a free port of the loopback device and on a unix socket.
class one_sentinel
{
public:
    explicit one_sentinel(sentinel_options options);

    int port() const noexcept { return port_; }
    /// A new connection, over the unix socket.
    raw_redis raw() const { return raw_redis{folder_.file("sock")}; }

private:
    bool start();
    void write_configuration() const;

    sentinel_options options_;
    temporary_folder folder_;
    int port_ = 0;
    std::optional<process> process_;
};

} // namespace coworker::test
