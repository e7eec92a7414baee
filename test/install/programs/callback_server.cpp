// SPDX-License-Identifier: MIT

// A server with callbacks: queues a mail to each address that it is sent, and answers with the job's id.
#include "mail.hpp"

#include <coworker/client.hpp>
#include <coworker/list_queue.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <functional>
#include <iostream>
#include <memory>

namespace asio = boost::asio;
using asio::ip::tcp;
using coworker::error_code;

struct visit : std::enable_shared_from_this<visit>
{
    explicit visit(tcp::socket from) : socket{std::move(from)} {}

    void serve(coworker::list_queue<mail>& mails)
    {
        const auto push = [self = shared_from_this(), &mails](error_code, std::size_t size) {
            const mail job{self->text.substr(0, size - (size > 0))};
            mails.async_push(job,
                             [self](error_code ec, std::string id) { self->answer(ec ? ec.message() : id); });
        };
        asio::async_read_until(socket, asio::dynamic_buffer(text), '\n', push);
    }
    void answer(std::string line)
    {
        text = line + '\n';
        const auto close = [self = shared_from_this()](error_code ec, std::size_t) {
            self->socket.close(ec);
        };
        asio::async_write(socket, asio::buffer(text), close);
    }

    tcp::socket socket;
    std::string text;
};

int main(int, char** argv)
{
    asio::io_context io;
    coworker::client redis{io, {.url = argv[1], .command_timeout = std::chrono::seconds{2}}};
    coworker::list_queue<mail> mails{redis, "mail"};
    tcp::acceptor acceptor{io, {asio::ip::address_v4::loopback(), 0}};
    std::cout << acceptor.local_endpoint().port() << std::endl;
    const std::function<void(error_code, tcp::socket)> accepted = [&](error_code ec, tcp::socket socket) {
        if (!ec)
            std::make_shared<visit>(std::move(socket))->serve(mails);
        acceptor.async_accept(accepted);
    };
    acceptor.async_accept(accepted);
    io.run();
}
