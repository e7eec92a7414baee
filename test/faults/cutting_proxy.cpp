// SPDX-License-Identifier: MIT
#include "cutting_proxy.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <vector>

namespace coworker::test {

using socket = asio::local::stream_protocol::socket;

namespace {

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

    socket client, server;
    std::array<char, 65'536> from_client{}, from_server{};
    std::string seen; ///< the end of what the client sent
};

} // namespace

struct cutting_proxy::state : std::enable_shared_from_this<state>
{
    state(const asio::any_io_executor& executor, std::string own_path, std::string path)
        : url{"unix://" + own_path}, server_path{std::move(path)}, acceptor{executor, own_path}
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
        connection->server.connect(server_path, error);
        if (error) {
            connection->close();
            return;
        }
        pairs.push_back(connection);
        pass_requests(connection);
        pass_answers(connection);
    }

    void pass_requests(const std::shared_ptr<pair>& connection)
    {
        connection->client.async_read_some(
            asio::buffer(connection->from_client),
            [self = shared_from_this(), connection](boost::system::error_code error, std::size_t size) {
                if (error)
                    return connection->close();
                self->look_at(*connection, {connection->from_client.data(), size});
                asio::async_write(connection->server, asio::buffer(connection->from_client, size),
                                  [self, connection](boost::system::error_code failed, std::size_t) {
                                      failed ? connection->close() : self->pass_requests(connection);
                                  });
            });
    }

    void pass_answers(const std::shared_ptr<pair>& connection)
    {
        connection->server.async_read_some(
            asio::buffer(connection->from_server),
            [self = shared_from_this(), connection](boost::system::error_code error, std::size_t size) {
                if (error)
                    return connection->close();
                if (self->swallowing)
                    return self->pass_answers(connection);
                asio::async_write(connection->client, asio::buffer(connection->from_server, size),
                                  [self, connection](boost::system::error_code failed, std::size_t) {
                                      failed ? connection->close() : self->pass_answers(connection);
                                  });
            });
    }

    void look_at(pair& connection, std::string_view sent)
    {
        if (text.empty())
            return;
        connection.seen += sent;
        if (connection.seen.find(text) != std::string::npos)
            swallowing = true;
        if (connection.seen.size() > text.size())
            connection.seen.erase(0, connection.seen.size() - text.size());
    }

    void cut()
    {
        swallowing = false;
        text.clear();
        for (const auto& connection : pairs)
            connection->close();
        pairs.clear();
    }

    std::string url, server_path;
    asio::local::stream_protocol::acceptor acceptor;
    std::vector<std::shared_ptr<pair>> pairs;
    std::string text; ///< what to look for; empty: nothing
    bool swallowing = false;
};

cutting_proxy::cutting_proxy(const asio::any_io_executor& executor, std::string path, std::string server_path)
    : state_{std::make_shared<state>(executor, std::move(path), std::move(server_path))}
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
    return state_->url;
}

void cutting_proxy::swallow_answer_to(std::string text)
{
    state_->text = std::move(text);
}

bool cutting_proxy::is_swallowing() const
{
    return state_->swallowing;
}

void cutting_proxy::cut()
{
    state_->cut();
}

} // namespace coworker::test
