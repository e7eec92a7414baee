// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace coworker::test {

namespace asio = boost::asio;

/// Stands between clients and a server, and loses answers, or lets nothing through for a while.
class cutting_proxy
{
public:
    /// Who has connected to it.
    struct visitor
    {
        std::string address;     ///< such as "127.0.0.1"; empty: came by the unix socket
        std::string first_words; ///< what was sent first, such as HELLO with a user's name
        std::size_t number = 0;  ///< the how manieth it is, from 1
    };

    /// Listens on `path` and passes everything on to the server's socket.
    cutting_proxy(const asio::any_io_executor& executor, std::string path, std::string server_path);
    /// Listens on a free port of the loopback device. Ends all connections until it knows where to lead them.
    explicit cutting_proxy(const asio::any_io_executor& executor);
    ~cutting_proxy();

    std::string url() const;
    int port() const;

    /// From now on it passes on to this port of the loopback device.
    void lead_to(int port);

    /// From the next request on that contains this text, which is passed on, no answer comes back.
    void swallow_answer_to(std::string text);

    /// That request has been passed on.
    bool is_swallowing() const;

    /// From now on nothing of those visitors gets through, either way, not even that one side has hung up. It waits
    /// for the next call, as TCP sends again when a network is whole again.
    void hold(std::function<bool(const visitor&)> which);

    /// How many have come so far.
    std::size_t visitors() const;

    /// Closes the connections. New ones work, and lose nothing.
    void cut();

    /// Closes everything, so that the context can come to its end.
    void close();

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace coworker::test
