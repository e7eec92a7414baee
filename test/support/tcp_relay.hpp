// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace coworker::test {

/// Listens on a free port of 127.0.0.1 and passes everything on to a server, as the published port of a container does. Works on a thread of its own, also for servers among themselves.
class tcp_relay
{
public:
    tcp_relay(const std::string& server_address, int server_port);
    ~tcp_relay();
    tcp_relay(const tcp_relay&) = delete;
    tcp_relay& operator=(const tcp_relay&) = delete;

    int port() const noexcept;

    /// Connections that came here so far.
    std::size_t connections() const noexcept;

private:
    struct state;
    std::unique_ptr<state> state_;
};

} // namespace coworker::test
