// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/timed_socket.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace coworker::detail {

/// What a conversation reads from and writes to: a TCP connection, or TLS on one.
///
/// It tells the socket of each step. Operations set `ec` instead of throwing. Cancellation: terminal.
class byte_stream
{
public:
    /// Plain, when `tls` is null.
    static std::unique_ptr<byte_stream> make(std::shared_ptr<timed_socket> socket, asio::ssl::context* tls);

    virtual ~byte_stream() = default;
    /// To be called first.
    virtual asio::awaitable<void> handshake(error_code& ec) = 0;
    asio::awaitable<std::size_t> read_some(asio::mutable_buffer buffer, error_code& ec);
    /// Tells the other side that nothing more is written.
    virtual asio::awaitable<void> shutdown(error_code& ec) = 0;

    asio::awaitable<void> write(std::string_view text, error_code& ec);
    /// How many bytes were written.
    std::uint64_t written() const noexcept { return written_; }

protected:
    explicit byte_stream(std::shared_ptr<timed_socket> socket) : socket_{std::move(socket)} {}
    const std::shared_ptr<timed_socket>& socket() const noexcept { return socket_; }

private:
    virtual asio::awaitable<std::size_t> receive(asio::mutable_buffer buffer, error_code& ec) = 0;
    virtual asio::awaitable<std::size_t> write_some(asio::const_buffer buffer, error_code& ec) = 0;

    std::shared_ptr<timed_socket> socket_;
    std::uint64_t written_ = 0;
};

} // namespace coworker::detail
