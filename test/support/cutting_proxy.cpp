// SPDX-License-Identifier: MIT
#include "support/cutting_proxy.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <array>
#include <optional>
#include <vector>

namespace coworker::test {

using stream = asio::generic::stream_protocol;

namespace {

stream::endpoint at_path(const std::string& path)
{
    return asio::local::stream_protocol::endpoint{path};
}

stream::endpoint at_port(int port)
{
    return asio::ip::tcp::endpoint{asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port)};
}

const sockaddr_in* internet_address(const stream::endpoint& where)
{
    return where.data()->sa_family == AF_INET ? reinterpret_cast<const sockaddr_in*>(where.data()) : nullptr;
}

std::string address_of_peer(const stream::socket& connection)
{
    boost::system::error_code error;
    const auto where = connection.remote_endpoint(error);
    std::array<char, INET_ADDRSTRLEN> text{};
    const auto* const address = error ? nullptr : internet_address(where);
    return address == nullptr ? "" : ::inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size());
}

/// One direction of a connection.
struct way
{
    way(stream::socket& begin, stream::socket& end) : from{begin}, to{end} {}

    stream::socket &from, &to;
    std::array<char, 65'536> bytes{};
    std::size_t size = 0;
    bool has_ended = false; ///< `from` has hung up
    bool is_held = false;   ///< something has come that may not pass yet
};

/// A client's connection and the one that was made for it to the server.
struct pair
{
    explicit pair(const asio::any_io_executor& executor) : client{executor}, server{executor} {}

    void close()
    {
        boost::system::error_code ignored;
        client.close(ignored);
        server.close(ignored);
    }

    stream::socket client, server;
    way requests{client, server}, answers{server, client};
    std::string seen; ///< the end of what the client sent
    cutting_proxy::visitor who;
};

} // namespace

struct cutting_proxy::state : std::enable_shared_from_this<state>
{
    state(const asio::any_io_executor& executor, const stream::endpoint& where,
          std::optional<stream::endpoint> server)
        : target{std::move(server)}, acceptor{executor, where}
    {}

    void accept()
    {
        auto connection = std::make_shared<pair>(acceptor.get_executor());
        acceptor.async_accept(connection->client,
                              [self = shared_from_this(), connection](boost::system::error_code error) {
                                  if (error)
                                      return;
                                  self->join(connection);
                                  self->accept();
                              });
    }

    void join(const std::shared_ptr<pair>& connection)
    {
        boost::system::error_code error;
        if (target)
            connection->server.connect(*target, error);
        if (error || !target) {
            connection->close();
            return;
        }
        boost::system::error_code ignored; // a unix socket knows no delay
        connection->client.set_option(asio::ip::tcp::no_delay{true}, ignored);
        connection->server.set_option(asio::ip::tcp::no_delay{true}, ignored);
        connection->who.number = ++visitors;
        connection->who.address = address_of_peer(connection->client);
        pairs.push_back(connection);
        read(connection, connection->requests);
        read(connection, connection->answers);
    }

    void read(const std::shared_ptr<pair>& connection, way& direction)
    {
        direction.from.async_read_some(asio::buffer(direction.bytes),
                                       [self = shared_from_this(), connection,
                                        &direction](boost::system::error_code error, std::size_t size) {
                                           direction.size = size;
                                           direction.has_ended = static_cast<bool>(error);
                                           if (&direction == &connection->requests && !error)
                                               self->look_at(*connection, {direction.bytes.data(), size});
                                           self->pass_on(connection, direction);
                                       });
    }

    void pass_on(const std::shared_ptr<pair>& connection, way& direction)
    {
        direction.is_held = held && held(connection->who);
        if (direction.is_held)
            return;
        if (direction.has_ended)
            return connection->close();
        if (swallowing && &direction == &connection->answers)
            return read(connection, direction);
        asio::async_write(direction.to, asio::buffer(direction.bytes, direction.size),
                          [self = shared_from_this(), connection,
                           &direction](boost::system::error_code failed, std::size_t) {
                              failed ? connection->close() : self->read(connection, direction);
                          });
    }

    void look_at(pair& connection, std::string_view sent)
    {
        if (connection.who.first_words.empty())
            connection.who.first_words = sent;
        if (text.empty())
            return;
        connection.seen += sent;
        if (connection.seen.find(text) != std::string::npos)
            swallowing = true;
        if (connection.seen.size() > text.size())
            connection.seen.erase(0, connection.seen.size() - text.size());
    }

    void hold(std::function<bool(const visitor&)> which)
    {
        held = std::move(which);
        for (const auto& connection : pairs)
            for (auto* const direction : {&connection->requests, &connection->answers})
                if (direction->is_held)
                    pass_on(connection, *direction);
    }

    void cut()
    {
        swallowing = false;
        text.clear();
        for (const auto& connection : pairs)
            connection->close();
        pairs.clear();
    }

    std::optional<stream::endpoint> target;
    asio::basic_socket_acceptor<stream> acceptor;
    std::vector<std::shared_ptr<pair>> pairs;
    std::function<bool(const visitor&)> held; ///< empty: nobody
    std::string text;                         ///< what to look for; empty: nothing
    bool swallowing = false;
    std::size_t visitors = 0;
};

cutting_proxy::cutting_proxy(const asio::any_io_executor& executor, std::string path, std::string server_path)
    : state_{std::make_shared<state>(executor, at_path(path), at_path(server_path))}
{
    state_->accept();
}

cutting_proxy::cutting_proxy(const asio::any_io_executor& executor)
    : state_{std::make_shared<state>(executor, at_port(0), std::nullopt)}
{
    state_->accept();
}

cutting_proxy::~cutting_proxy()
{
    close();
}

void cutting_proxy::close()
{
    boost::system::error_code ignored;
    state_->acceptor.close(ignored);
    state_->cut();
}

std::string cutting_proxy::url() const
{
    const auto where = state_->acceptor.local_endpoint();
    if (internet_address(where) != nullptr)
        return "redis://127.0.0.1:" + std::to_string(port());
    return std::string{"unix://"} + reinterpret_cast<const sockaddr_un*>(where.data())->sun_path;
}

int cutting_proxy::port() const
{
    const auto where = state_->acceptor.local_endpoint();
    return ntohs(internet_address(where)->sin_port);
}

void cutting_proxy::lead_to(int port)
{
    state_->target = at_port(port);
}

void cutting_proxy::swallow_answer_to(std::string text)
{
    state_->text = std::move(text);
}

bool cutting_proxy::is_swallowing() const
{
    return state_->swallowing;
}

void cutting_proxy::hold(std::function<bool(const visitor&)> which)
{
    state_->hold(std::move(which));
}

std::size_t cutting_proxy::visitors() const
{
    return state_->visitors;
}

void cutting_proxy::cut()
{
    state_->cut();
}

} // namespace coworker::test
