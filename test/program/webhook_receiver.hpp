// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace coworker::test {

/// A notice as it came.
struct received_webhook
{
    std::string head, body;

    std::string header(const std::string& name) const
    {
        const auto begin = head.find("\r\n" + name + ": ");
        if (begin == std::string::npos)
            return {};
        const auto value = begin + name.size() + 4;
        return head.substr(value, head.find("\r\n", value) - value);
    }
    std::string id() const { return header("webhook-id"); }
};

/// Takes webhooks in a thread of its own, and answers each as it is told.
class webhook_receiver
{
public:
    using tcp = boost::asio::ip::tcp;

    static constexpr auto taken = "HTTP/1.1 204 No Content\r\n\r\n", hangs = "", endless = "...";

    /// What to answer to a notice; `earlier`: how often it has come before. `hangs`: nothing. `endless`: headers, for ever.
    using answers = std::function<std::string(const received_webhook&, std::size_t earlier)>;

    explicit webhook_receiver(
        answers answer = [](const auto&, std::size_t) { return std::string{taken}; },
        const std::string& certificate = {}, const std::string& key = {})
        : answer_{std::move(answer)}, is_tls_{!certificate.empty()}
    {
        if (is_tls_) {
            tls_.use_certificate_chain_file(certificate);
            tls_.use_private_key_file(key, boost::asio::ssl::context::pem);
        }
        boost::asio::co_spawn(io_, accept(), boost::asio::detached);
        thread_ = std::thread{[this] { io_.run(); }};
    }
    ~webhook_receiver()
    {
        io_.stop();
        thread_.join();
    }
    webhook_receiver(const webhook_receiver&) = delete;
    webhook_receiver& operator=(const webhook_receiver&) = delete;

    std::string url() const
    {
        return (is_tls_ ? "https://localhost:" : "http://127.0.0.1:") +
               std::to_string(acceptor_.local_endpoint().port()) + "/hooks?a=b";
    }

    std::vector<received_webhook> received() const
    {
        const std::lock_guard lock{mutex_};
        return received_;
    }
    std::size_t times(const std::string& id) const
    {
        const auto all = received();
        return std::size_t(
            std::count_if(all.begin(), all.end(), [&](const auto& each) { return each.id() == id; }));
    }
    /// How many there were of a type, repetitions included.
    std::size_t count(const std::string& type) const
    {
        const auto all = received();
        return std::size_t(std::count_if(all.begin(), all.end(), [&](const auto& each) {
            return each.body.starts_with("{\"type\":\"" + type + "\",");
        }));
    }

private:
    boost::asio::awaitable<void> accept()
    {
        for (;;) {
            auto socket = co_await acceptor_.async_accept(boost::asio::use_awaitable);
            boost::asio::co_spawn(io_, serve(std::move(socket)), boost::asio::detached);
        }
    }

    boost::asio::awaitable<void> serve(tcp::socket socket)
    {
        if (!is_tls_) {
            co_await converse(socket);
            co_return;
        }
        boost::asio::ssl::stream<tcp::socket> stream{std::move(socket), tls_};
        co_await stream.async_handshake(boost::asio::ssl::stream_base::server, boost::asio::use_awaitable);
        co_await converse(stream);
    }

    template<class Stream>
    boost::asio::awaitable<void> converse(Stream& stream)
    {
        std::string text;
        auto buffer = boost::asio::dynamic_buffer(text);
        const auto size =
            co_await boost::asio::async_read_until(stream, buffer, "\r\n\r\n", boost::asio::use_awaitable);
        received_webhook one{text.substr(0, size), {}};
        const auto whole = size + std::stoul(one.header("Content-Length"));
        if (text.size() < whole)
            co_await boost::asio::async_read(stream, buffer,
                                             boost::asio::transfer_at_least(whole - text.size()),
                                             boost::asio::use_awaitable);
        one.body = text.substr(size);
        const auto reply = answer_(one, note(one));
        if (reply == hangs) {
            boost::asio::steady_timer timer{io_, std::chrono::hours{1}};
            co_await timer.async_wait(boost::asio::use_awaitable);
        }
        if (reply == endless)
            co_await boost::asio::async_write(stream,
                                              boost::asio::buffer(std::string{"HTTP/1.1 103 Soon\r\n"}),
                                              boost::asio::use_awaitable);
        while (reply == endless)
            co_await boost::asio::async_write(stream,
                                              boost::asio::buffer(std::string{"Filler: more and more\r\n"}),
                                              boost::asio::use_awaitable);
        co_await boost::asio::async_write(stream, boost::asio::buffer(reply), boost::asio::use_awaitable);
    }

    /// Returns how often it had come.
    std::size_t note(const received_webhook& one)
    {
        const auto earlier = times(one.id());
        const std::lock_guard lock{mutex_};
        received_.push_back(one);
        return earlier;
    }

    answers answer_;
    bool is_tls_;
    boost::asio::ssl::context tls_{boost::asio::ssl::context::tls_server};
    boost::asio::io_context io_{1};
    tcp::acceptor acceptor_{io_, {boost::asio::ip::make_address("127.0.0.1"), 0}};
    mutable std::mutex mutex_;
    std::vector<received_webhook> received_;
    std::thread thread_;
};

} // namespace coworker::test
