// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/world.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/json/value.hpp>

#include <string>

namespace coworker::test {

struct http_answer
{
    int status = 0;
    boost::json::value body{};
};

/// A worker's connection to the gateway. It connects when it has to; what goes wrong is thrown, and the next call connects
/// anew.
class http_client
{
public:
    explicit http_client(boost::asio::any_io_executor executor) : socket_{executor} {}

    /// @param limit  when there is no answer by then, the call throws
    boost::asio::awaitable<http_answer> post(std::string path, boost::json::value body, nanoseconds limit);

private:
    boost::asio::awaitable<http_answer> exchange(std::string request);
    boost::asio::awaitable<http_answer> read_answer();

    boost::asio::local::stream_protocol::socket socket_;
    std::string read_{}; ///< and not used yet
};

} // namespace coworker::test
