// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "coworker/client.hpp"
#include "coworker/inspector.hpp"
#include "coworker/list_queue.hpp"
#include "coworker/managed_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <chrono>
#include <map>
#include <string>

namespace coworker::fuzz {

using namespace std::chrono_literals;
using asio::ip::tcp;

namespace {

/// Words of a server that a client accepts, by the first word of a command, and of the one before it.
std::string_view polite_answer(std::string_view command, std::string_view before)
{
    if (command == "GET" && before == "INFO") // the layout of the keys
        return "_\r\n";
    static const std::map<std::string_view, std::string_view> words{
        {"HELLO", "%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$5\r\n7.2.0\r\n"},
        {"SELECT", "+OK\r\n"},
        {"CLIENT", ":7\r\n"},
        {"SUBSCRIBE", ">3\r\n$9\r\nsubscribe\r\n$1\r\nx\r\n:1\r\n"},
        {"INFO", "$34\r\nredis_version:7.2.0\r\nrole:master\r\n\r\n"},
        {"PING", "+PONG\r\n"}};
    const auto found = words.find(command);
    return found == words.end() ? std::string_view{} : found->second;
}

/// The first word of each command in what a client has sent.
std::vector<std::string_view> first_words(std::string_view request)
{
    std::vector<std::string_view> words;
    for (auto at = request.find('*'); at != request.npos; at = request.find("\r\n*", at + 1)) {
        const auto size = request.find('$', at);
        const auto begin = size == request.npos ? size : request.find("\r\n", size);
        if (begin == request.npos)
            break;
        words.push_back(request.substr(begin + 2, request.find("\r\n", begin + 2) - begin - 2));
    }
    return words;
}

/// Greets a client as Redis does, and answers all else with the bytes it was given. `is_rude`: does not greet.
asio::awaitable<void> serve(tcp::socket socket, std::string_view bytes, bool is_rude)
{
    std::array<char, 8192> received;
    error_code ec;
    while (!ec && !bytes.empty()) {
        const auto size = co_await socket.async_read_some(asio::buffer(received),
                                                          asio::redirect_error(asio::use_awaitable, ec));
        std::string answer;
        std::string_view before;
        for (const auto word : first_words({received.data(), size})) {
            const auto polite = is_rude ? std::string_view{} : polite_answer(word, before);
            before = word;
            if (polite.empty())
                answer += std::exchange(bytes, {});
            answer += polite;
        }
        co_await asio::async_write(socket, asio::buffer(answer),
                                   asio::redirect_error(asio::use_awaitable, ec));
    }
}

asio::awaitable<void> accept_all(tcp::acceptor& acceptor, std::string_view bytes, bool is_rude)
{
    error_code ec;
    while (!ec) {
        auto socket = co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, ec));
        if (!ec)
            co_await serve(std::move(socket), bytes, is_rude);
    }
}

asio::awaitable<void> ask(client& redis, unsigned which)
{
    const raw_list_queue mail{redis, "mail"};
    const inspector look{redis};
    const managed_client qless{redis};
    const raw_json job{"1"};
    switch (which % 4) {
    case 0:
        (void)co_await mail.async_push_json(job);
        break;
    case 1:
        (void)co_await look.async_queues(queue_kind::list);
        break;
    case 2:
        (void)co_await qless.async_get("1");
        break;
    default:
        (void)co_await mail.async_sizes();
    }
}

} // namespace

/// A whole client, with a server that answers with these bytes. The first byte says who asks, and whether the server greets.
FUZZ_TARGET(server)
{
    if (bytes.empty())
        return;
    const auto how = static_cast<unsigned char>(bytes[0]);
    asio::io_context io{1};
    tcp::acceptor acceptor{io, {asio::ip::address_v4::loopback(), 0}};
    client_options options;
    options.url = "redis://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port());
    options.thread_safe = false;
    options.connect_timeout = 20ms;
    options.command_timeout = 20ms;
    client redis{io.get_executor(), options};
    asio::co_spawn(io, accept_all(acceptor, bytes.substr(1), how % 8 == 7), [](std::exception_ptr) {});
    bool has_ended = false;
    asio::co_spawn(io, ask(redis, how), [&](std::exception_ptr why) {
        try {
            if (why)
                std::rethrow_exception(why);
        } catch (const system_error&) {
        }
        acceptor.close();
        redis.async_stop([&](error_code) {
            has_ended = true;
            io.stop();
        });
    });
    io.run_for(60s);
    claim(has_ended);
}

} // namespace coworker::fuzz
