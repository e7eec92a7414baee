// SPDX-License-Identifier: MIT
#include "http_client.hpp"

#include "support/one_sentence.hpp"

#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <stdexcept>

namespace coworker::test {

namespace {

void check_refusal(const boost::json::value& told)
{
    const auto* const members = told.if_object();
    const auto* const detail = members != nullptr ? members->if_contains("detail") : nullptr;
    if (detail != nullptr && detail->is_string())
        BOOST_TEST(chain_in(detail->get_string()) == "", detail->get_string());
}

/// What is refused is said in one sentence, whichever test it is.
void check_refusals(const http_reply& reply)
{
    boost::system::error_code ec;
    const auto body = reply.status == 207 || reply.status >= 400 ? boost::json::parse(reply.body, ec)
                                                                 : boost::json::value{};
    check_refusal(body);
    if (const auto* const all = body.if_array())
        for (const auto& each : *all)
            check_refusal(each);
}

} // namespace

boost::json::value http_reply::json() const
{
    return boost::json::parse(body);
}

std::string http_reply::text(const std::string& member) const
{
    const auto value = json();
    const auto* const found = value.as_object().if_contains(member);
    return found && found->is_string() ? std::string{found->get_string()} : std::string{};
}

std::string http_reply::field(const std::string& name) const
{
    const auto found = fields.find(name);
    return found == fields.end() ? std::string{} : found->second;
}

http_client::http_client(const asio::any_io_executor& executor, std::uint16_t port, int receive_buffer)
    : socket_{executor, asio::ip::tcp::v4()}
{
    if (receive_buffer != 0)
        socket_.set_option(asio::socket_base::receive_buffer_size{receive_buffer});
    socket_.connect({asio::ip::address_v4::loopback(), port});
}

asio::awaitable<void> http_client::send(std::string bytes)
{
    boost::system::error_code ignored; // the server may close while we are sending
    co_await asio::async_write(socket_, asio::buffer(bytes),
                               asio::redirect_error(asio::use_awaitable, ignored));
}

asio::awaitable<bool> http_client::receive_more()
{
    char bytes[4096];
    boost::system::error_code ec;
    const auto size =
        co_await socket_.async_read_some(asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, ec));
    received_.append(bytes, size);
    co_return !ec;
}

asio::awaitable<http_reply> http_client::receive(bool to_head)
{
    std::size_t end = 0;
    while ((end = received_.find("\r\n\r\n")) == received_.npos) {
        const bool more = co_await receive_more();
        if (!more)
            throw std::runtime_error{"the connection ended instead of an answer: " + received_};
    }
    http_reply reply;
    reply.status = static_cast<unsigned>(std::stoul(received_.substr(9, 3)));
    for (auto at = received_.find("\r\n") + 2; at < end;) {
        const auto line = received_.substr(at, received_.find("\r\n", at) - at);
        auto name = line.substr(0, line.find(':'));
        std::transform(name.begin(), name.end(), name.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        reply.fields[name] = line.substr(line.find(':') + 2);
        at += line.size() + 2;
    }
    received_.erase(0, end + 4);
    const auto length = reply.field("content-length");
    const std::size_t size = to_head || length.empty() ? 0 : std::stoul(length);
    while (received_.size() < size) {
        const bool more = co_await receive_more();
        if (!more)
            throw std::runtime_error{"the answer is incomplete"};
    }
    reply.body = received_.substr(0, size);
    received_.erase(0, size);
    check_refusals(reply);
    co_return reply;
}

asio::awaitable<std::string> http_client::receive_until(std::string text)
{
    std::size_t at = 0;
    while ((at = received_.find(text)) == received_.npos) {
        const bool more = co_await receive_more();
        if (!more)
            throw std::runtime_error{"the connection ended before '" + text + "': " + received_};
    }
    auto found = received_.substr(0, at + text.size());
    received_.erase(0, found.size());
    co_return found;
}

asio::awaitable<std::string> http_client::receive_some(std::size_t limit)
{
    if (received_.empty()) {
        std::string bytes(limit, '\0');
        boost::system::error_code ec;
        bytes.resize(co_await socket_.async_read_some(asio::buffer(bytes),
                                                      asio::redirect_error(asio::use_awaitable, ec)));
        co_return bytes;
    }
    auto some = received_.substr(0, limit);
    received_.erase(0, some.size());
    co_return some;
}

asio::awaitable<std::string> http_client::receive_rest()
{
    bool more = true;
    while (more)
        more = co_await receive_more();
    co_return std::exchange(received_, {});
}

void http_client::close_sending_side()
{
    socket_.shutdown(asio::ip::tcp::socket::shutdown_send);
}

asio::awaitable<http_reply> http_client::get(std::string path, std::string fields)
{
    co_await send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n");
    co_return co_await receive();
}

asio::awaitable<http_reply> http_client::post(std::string path, std::string body, std::string fields)
{
    co_await send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
                  std::to_string(body.size()) + "\r\n" + fields + "\r\n" + body);
    co_return co_await receive();
}

} // namespace coworker::test
