// SPDX-License-Identifier: MIT
#include "simulation/scenes/http_client.hpp"

#include "simulation/simulated_network.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <variant>

namespace coworker::test {

namespace asio = boost::asio;

asio::awaitable<http_answer> http_client::post(std::string path, boost::json::value body, nanoseconds limit)
{
    using namespace asio::experimental::awaitable_operators;
    const auto text = boost::json::serialize(body);
    auto request = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
                   "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
    asio::steady_timer timer{socket_.get_executor(), std::chrono::nanoseconds{limit}};
    std::exception_ptr failed;
    try {
        auto first = co_await (exchange(std::move(request)) || timer.async_wait(asio::use_awaitable));
        if (auto* const answer = std::get_if<0>(&first))
            co_return std::move(*answer);
        failed = std::make_exception_ptr(boost::system::system_error{asio::error::timed_out});
    } catch (...) {
        failed = std::current_exception();
    }
    boost::system::error_code ignored;
    socket_.close(ignored);
    std::rethrow_exception(failed);
}

asio::awaitable<http_answer> http_client::exchange(std::string request)
{
    if (!socket_.is_open()) {
        read_.clear();
        const asio::local::stream_protocol::endpoint where{simulated_network::host_path};
        co_await socket_.async_connect(where, asio::use_awaitable);
    }
    co_await asio::async_write(socket_, asio::buffer(request), asio::use_awaitable);
    auto answer = co_await read_answer();
    co_return answer;
}

asio::awaitable<http_answer> http_client::read_answer()
{
    const auto size = co_await asio::async_read_until(socket_, asio::dynamic_buffer(read_), "\r\n\r\n",
                                                      asio::use_awaitable);
    const auto header = read_.substr(0, size);
    read_.erase(0, size);
    const auto number_behind = [&](const char* word) {
        const auto place = header.find(word);
        return place != header.npos
                   ? std::strtoul(header.c_str() + place + std::string{word}.size(), nullptr, 10)
                   : 0UL;
    };
    http_answer answer;
    answer.status = static_cast<int>(number_behind("HTTP/1.1 "));
    const auto length = number_behind("Content-Length: ");
    while (read_.size() < length) {
        std::string more(length - read_.size(), '\0');
        const auto got = co_await socket_.async_read_some(asio::buffer(more), asio::use_awaitable);
        read_.append(more, 0, got);
    }
    boost::system::error_code ignored;
    answer.body = boost::json::parse(read_.substr(0, length), ignored);
    read_.erase(0, length);
    if (header.find("Connection: close") != header.npos)
        socket_.close(ignored);
    co_return answer;
}

} // namespace coworker::test
