// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <string>

namespace coworker::test {

namespace asio = boost::asio;

/// Stands between a client and a server, on a unix socket of its own, and loses answers.
class cutting_proxy
{
public:
    /// Listens on `path` and passes everything on to the server's socket.
    cutting_proxy(const asio::any_io_executor& executor, std::string path, std::string server_path);
    ~cutting_proxy();

    std::string url() const;

    /// From the next request on that contains this text, which is passed on, no answer comes back.
    void swallow_answer_to(std::string text);

    /// That request has been passed on.
    bool is_swallowing() const;

    /// Closes the connections. New ones work, and lose nothing.
    void cut();

    /// Closes everything, so that the context can come to its end.
    void close();

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace coworker::test
