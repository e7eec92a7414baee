// SPDX-License-Identifier: MIT
#include "gateway/byte_stream.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coworker::detail {
namespace {

auto token(error_code& ec)
{
    return asio::redirect_error(asio::use_awaitable, ec);
}

class plain_stream : public byte_stream
{
public:
    explicit plain_stream(std::shared_ptr<timed_socket> socket) : byte_stream{std::move(socket)} {}

    asio::awaitable<void> handshake(error_code& ec) override
    {
        ec = {};
        co_return;
    }
    asio::awaitable<void> shutdown(error_code& ec) override
    {
        socket()->socket().shutdown(asio::ip::tcp::socket::shutdown_send, ec);
        co_return;
    }

private:
    asio::awaitable<std::size_t> receive(asio::mutable_buffer buffer, error_code& ec) override
    {
        return socket()->async_read_some(buffer, token(ec));
    }
    asio::awaitable<std::size_t> write_some(asio::const_buffer buffer, error_code& ec) override
    {
        return socket()->async_write_some(buffer, token(ec));
    }
};

class encrypted_stream : public byte_stream
{
public:
    encrypted_stream(std::shared_ptr<timed_socket> below, asio::ssl::context& tls)
        : byte_stream{std::move(below)}, stream_{*socket(), tls}
    {}

    asio::awaitable<void> handshake(error_code& ec) override
    {
        return stream_.async_handshake(asio::ssl::stream_base::server, token(ec));
    }
    asio::awaitable<void> shutdown(error_code& ec) override { return stream_.async_shutdown(token(ec)); }

private:
    asio::awaitable<std::size_t> receive(asio::mutable_buffer buffer, error_code& ec) override
    {
        return stream_.async_read_some(buffer, token(ec));
    }
    asio::awaitable<std::size_t> write_some(asio::const_buffer buffer, error_code& ec) override
    {
        return stream_.async_write_some(buffer, token(ec));
    }

    asio::ssl::stream<timed_socket&> stream_;
};

} // namespace

std::unique_ptr<byte_stream> byte_stream::make(std::shared_ptr<timed_socket> socket, asio::ssl::context* tls)
{
    if (tls == nullptr)
        return std::make_unique<plain_stream>(std::move(socket));
    return std::make_unique<encrypted_stream>(std::move(socket), *tls);
}

asio::awaitable<std::size_t> byte_stream::read_some(asio::mutable_buffer buffer, error_code& ec)
{
    const auto size = co_await receive(buffer, ec);
    socket_->moved(size);
    co_return size;
}

asio::awaitable<void> byte_stream::write(std::string_view text, error_code& ec)
{
    ec = {};
    while (!text.empty() && !ec) {
        const auto size = co_await write_some(asio::buffer(text), ec);
        socket_->moved(size);
        written_ += size;
        text.remove_prefix(size);
    }
}

} // namespace coworker::detail
