// SPDX-License-Identifier: MIT
#include "program/service/webhook_post.hpp"

#include "program/exit_code.hpp"
#include "program/terminal/text_functions.hpp"

#include <coworker/error.hpp>
#include <coworker/version.hpp>

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace coworker::program {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr std::size_t most_of_answer = 16384;

/// The status of an answer's first line, such as "HTTP/1.1 204 No Content\r\n".
std::optional<int> read_status(std::string_view line)
{
    constexpr std::size_t place = 9; // behind "HTTP/1.1 "
    int status = 0;
    if (!line.starts_with("HTTP/1.") || line.size() < place + 3 || line[place - 1] != ' ')
        return std::nullopt;
    const auto* const end = line.data() + place + 3;
    const auto read = std::from_chars(line.data() + place, end, status);
    if (read.ec != std::errc{} || read.ptr != end || status < 100)
        return std::nullopt;
    return status;
}

/// Before its answer a server may say that it is to come (RFC 9110, 15.2).
template<class Stream>
asio::awaitable<int> converse(Stream& stream, const std::string& request)
{
    co_await asio::async_write(stream, asio::buffer(request), asio::use_awaitable);
    std::string text;
    asio::dynamic_string_buffer buffer{text, most_of_answer};
    for (std::size_t bytes = 0; bytes < most_of_answer;) {
        co_await asio::async_read_until(stream, buffer, "\r\n", asio::use_awaitable);
        const auto status = read_status(text);
        if (!status)
            throw system_error{errc::unexpected_answer, "the receiver does not speak HTTP/1.1"};
        if (*status >= 200)
            co_return *status;
        const auto size = co_await asio::async_read_until(stream, buffer, "\r\n\r\n", asio::use_awaitable);
        buffer.consume(size);
        bytes += size;
    }
    throw system_error{errc::unexpected_answer, "the receiver does not answer, and only says that it will"};
}

asio::awaitable<int> exchange(const webhook_target& target, asio::ssl::context& tls,
                              const std::string& request)
{
    const auto executor = co_await asio::this_coro::executor;
    tcp::resolver resolver{executor};
    const auto places = co_await resolver.async_resolve(target.host, target.port, asio::use_awaitable);
    asio::ssl::stream<tcp::socket> stream{executor, tls};
    co_await asio::async_connect(stream.next_layer(), places, asio::use_awaitable);
    if (!target.tls) {
        const int status = co_await converse(stream.next_layer(), request);
        co_return status;
    }
    SSL_set_tlsext_host_name(stream.native_handle(), target.host.c_str());
    stream.set_verify_callback(asio::ssl::host_name_verification{target.host});
    co_await stream.async_handshake(asio::ssl::stream_base::client, asio::use_awaitable);
    const int status = co_await converse(stream, request);
    co_return status;
}

} // namespace

webhook_target read_webhook_target(std::string_view url)
{
    const auto no = [&](const std::string& why) {
        refuse("--url '" + escaped(std::string{url}) + "' " + why);
    };
    webhook_target target;
    auto rest = url;
    constexpr std::string_view https = "https://", http = "http://";
    target.tls = rest.starts_with(https);
    if (!target.tls && !rest.starts_with(http))
        no("is no https:// or http:// URL");
    rest.remove_prefix(target.tls ? https.size() : http.size());
    const bool is_plain =
        std::all_of(rest.begin(), rest.end(), [](char each) { return each > ' ' && each < '\x7f'; });
    if (!is_plain || rest.find_first_of("#\\@") != std::string_view::npos)
        no("has a character that does not belong there; escape it as %20, and leave users and passwords out");
    const auto end = std::min(rest.find_first_of("/?"), rest.size());
    target.authority = rest.substr(0, end);
    target.path = rest.substr(end);
    if (!target.path.starts_with('/'))
        target.path.insert(0, 1, '/');
    auto host = std::string_view{target.authority};
    target.port = target.tls ? "443" : "80";
    const auto colon = host.rfind(':');
    if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) {
        target.port = host.substr(colon + 1);
        host = host.substr(0, colon);
    }
    if (host.starts_with('[') && host.ends_with(']'))
        host = host.substr(1, host.size() - 2);
    target.host = host;
    if (target.host.empty() || target.port.empty() || target.port.size() > 5 ||
        target.port.find_first_not_of("0123456789") != std::string::npos)
        no("names no host");
    return target;
}

asio::ssl::context make_webhook_tls(const std::string& ca_file)
{
    asio::ssl::context tls{asio::ssl::context::tls_client};
    tls.set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
    tls.set_verify_mode(asio::ssl::verify_peer);
    try {
        if (ca_file.empty())
            tls.set_default_verify_paths();
        else
            tls.load_verify_file(ca_file);
    } catch (const system_error& error) {
        refuse("--ca '" + escaped(ca_file) + "': " + error.code().message());
    }
    return tls;
}

std::string webhook_request(const webhook_target& target, std::string_view headers, std::string_view body)
{
    std::string text = "POST " + target.path + " HTTP/1.1\r\nHost: " + target.authority + "\r\n";
    text.append("User-Agent: coworker/" COWORKER_VERSION_STRING "\r\nContent-Type: application/json\r\n");
    text.append("Connection: close\r\nContent-Length: ").append(std::to_string(body.size())).append("\r\n");
    return text.append(headers).append("\r\n").append(body);
}

asio::awaitable<int> post_webhook(const webhook_target& target, asio::ssl::context& tls,
                                  const std::string& request, std::chrono::milliseconds timeout)
{
    const auto executor = co_await asio::this_coro::executor;
    auto whole = exchange(target, tls, request);
    const int status =
        co_await asio::co_spawn(executor, std::move(whole), asio::cancel_after(timeout, asio::use_awaitable));
    co_return status;
}

} // namespace coworker::program
