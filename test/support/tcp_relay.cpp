// SPDX-License-Identifier: MIT
#include "support/tcp_relay.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <atomic>
#include <thread>

namespace coworker::test {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

const tcp::endpoint any_port{asio::ip::address_v4::loopback(), 0};

/// A client's connection and the one that was made for it to the server.
struct relayed_pair : std::enable_shared_from_this<relayed_pair>
{
    explicit relayed_pair(asio::io_context& io) : client{io}, server{io} {}

    void pass(tcp::socket& from, tcp::socket& to, std::array<char, 65'536>& buffer)
    {
        from.async_read_some(asio::buffer(buffer), [self = shared_from_this(), &from, &to,
                                                    &buffer](error_code ec, std::size_t size) {
            if (ec)
                return self->close();
            asio::async_write(to, asio::buffer(buffer, size),
                              [self, &from, &to, &buffer](error_code failed, std::size_t) {
                                  failed ? self->close() : self->pass(from, to, buffer);
                              });
        });
    }

    void close()
    {
        error_code ignored;
        client.close(ignored);
        server.close(ignored);
    }

    tcp::socket client, server;
    std::array<char, 65'536> from_client{}, from_server{};
};

} // namespace

struct tcp_relay::state
{
    state(const std::string& address, int server_port)
        : server{asio::ip::make_address(address), static_cast<asio::ip::port_type>(server_port)}
    {
        accept();
        thread = std::thread{[this] { io.run(); }};
    }

    ~state()
    {
        io.stop();
        thread.join();
    }

    void accept()
    {
        const auto next = std::make_shared<relayed_pair>(io);
        acceptor.async_accept(next->client, [this, next](error_code ec) {
            if (ec)
                return;
            ++connections;
            error_code refused;
            next->server.connect(server, refused);
            if (refused) {
                next->close();
            } else {
                next->pass(next->client, next->server, next->from_client);
                next->pass(next->server, next->client, next->from_server);
            }
            accept();
        });
    }

    tcp::endpoint server;
    asio::io_context io{1};
    tcp::acceptor acceptor{io, any_port};
    std::atomic<std::size_t> connections = 0;
    std::thread thread;
};

tcp_relay::tcp_relay(const std::string& server_address, int server_port)
    : state_{std::make_unique<state>(server_address, server_port)}
{}

tcp_relay::~tcp_relay() = default;

int tcp_relay::port() const noexcept
{
    return state_->acceptor.local_endpoint().port();
}

std::size_t tcp_relay::connections() const noexcept
{
    return state_->connections;
}

} // namespace coworker::test
