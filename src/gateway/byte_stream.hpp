// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/timed_socket.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>

#include <memory>
#include <string_view>

namespace coworker::detail {

/// What a conversation reads from and writes to: a TCP connection, or TLS on one.
///
/// Operations set `ec` instead of throwing. Cancellation: terminal.
class byte_stream
{
public:
    /// Plain, when `tls` is null.
    static std::unique_ptr<byte_stream> make(std::shared_ptr<timed_socket> socket, asio::ssl::context* tls);

    virtual ~byte_stream() = default;
    /// To be called first.
    virtual asio::awaitable<void> handshake(error_code& ec) = 0;
    virtual asio::awaitable<std::size_t> read_some(asio::mutable_buffer buffer, error_code& ec) = 0;
    /// Tells the other side that nothing more is written.
    virtual asio::awaitable<void> shutdown(error_code& ec) = 0;

    asio::awaitable<void> write(std::string_view text, error_code& ec);

private:
    virtual asio::awaitable<std::size_t> write_some(asio::const_buffer buffer, error_code& ec) = 0;
};

} // namespace coworker::detail
