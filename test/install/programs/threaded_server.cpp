// SPDX-License-Identifier: MIT

// A server with four threads and a strand for each visitor: queues a mail to each address that it is sent.
#include "mail.hpp"

#include <coworker/client.hpp>
#include <coworker/list_queue.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <iostream>
#include <thread>
#include <vector>

namespace asio = boost::asio;
using asio::ip::tcp;
using mail_queue = coworker::list_queue<mail>;

asio::awaitable<void> talk(tcp::socket socket, mail_queue mails)
{
    std::string text;
    const auto size =
        co_await asio::async_read_until(socket, asio::dynamic_buffer(text), '\n', asio::use_awaitable);
    const mail job{text.substr(0, size - 1)};
    const std::string answer = co_await mails.async_push(job) + '\n'; // goes on on this visitor's strand
    co_await asio::async_write(socket, asio::buffer(answer), asio::use_awaitable);
}

asio::awaitable<void> accept_all(asio::io_context& io, tcp::acceptor& acceptor, mail_queue mails)
{
    for (;;) {
        const auto strand = asio::make_strand(io);
        tcp::socket socket{strand};
        co_await acceptor.async_accept(socket, asio::use_awaitable);
        asio::co_spawn(strand, talk(std::move(socket), mails), [](std::exception_ptr error) {
            if (error)
                std::cerr << "a mail was not queued\n";
        });
    }
}

int main(int, char** argv)
{
    asio::io_context io;
    coworker::client redis{io, {.url = argv[1], .command_timeout = std::chrono::seconds{2}}};
    const mail_queue mails{redis, "mail"};
    tcp::acceptor acceptor{asio::make_strand(io), {asio::ip::address_v4::loopback(), 0}};
    std::cout << acceptor.local_endpoint().port() << std::endl;
    asio::co_spawn(acceptor.get_executor(), accept_all(io, acceptor, mails), [](std::exception_ptr) {});
    std::vector<std::jthread> threads;
    for (int i = 0; i != 4; ++i)
        threads.emplace_back([&] { io.run(); });
}
