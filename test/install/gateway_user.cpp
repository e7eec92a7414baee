// SPDX-License-Identifier: MIT

// A program of somebody else's that uses the HTTP gateway: makes one and ends it, without a server.
#include <coworker/gateway.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

namespace asio = boost::asio;

int main()
{
    asio::io_context io;
    coworker::client redis{io.get_executor(), {.url = "unix:///nonexistent/redis.sock"}};
    coworker::gateway gateway{redis, {.port = 0}};
    gateway.listen();
    const bool listens = gateway.port() != 0;

    // A gateway that is stopped before it runs returns at once.
    gateway.stop();
    bool returned = false;
    gateway.async_run([&](coworker::error_code ec) { returned = !ec; });
    io.run();
    return listens && returned ? 0 : 1;
}
