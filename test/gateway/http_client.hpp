// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace coworker::test {

namespace asio = boost::asio;

/// What a server answered.
struct http_reply
{
    unsigned status = 0;
    std::map<std::string, std::string> fields; ///< names in lower case
    std::string body;

    boost::json::value json() const;
    std::string text(const std::string& member) const;
    std::string field(const std::string& name) const;
};

/// A plain HTTP client that sends whatever bytes it is told to. It shares no code with what is tested.
class http_client
{
public:
    /// @param receive_buffer  how many bytes the system keeps that are not read yet; 0: its default
    http_client(const asio::any_io_executor& executor, std::uint16_t port, int receive_buffer = 0);

    asio::awaitable<void> send(std::string bytes);
    /// Reads one answer; for an answer to HEAD without its body.
    asio::awaitable<http_reply> receive(bool to_head = false);
    /// What arrives up to this text; throws if the connection ends before.
    asio::awaitable<std::string> receive_until(std::string text);
    /// Some of what has arrived, and no more bytes than this; "" when the other side has closed.
    asio::awaitable<std::string> receive_some(std::size_t limit);
    /// What arrives until the other side has closed, "" if nothing does.
    asio::awaitable<std::string> receive_rest();
    /// The client sends nothing more, but still listens.
    void close_sending_side();

    asio::awaitable<http_reply> get(std::string path, std::string fields = "");
    asio::awaitable<http_reply> post(std::string path, std::string body,
                                     std::string fields = "Content-Type: application/json\r\n");

private:
    asio::awaitable<bool> receive_more();

    asio::ip::tcp::socket socket_;
    std::string received_;
};

} // namespace coworker::test
