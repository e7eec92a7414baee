// The one file that compiles Beast's HTTP parser and serializer, for plain connections and for TLS.
#include "http/server.hpp"
#include "text/times.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

namespace coworker::detail {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using namespace std::chrono_literals;
using tls_stream = asio::ssl::stream<beast::tcp_stream>;
using parser_type = http::request_parser<http::string_body>;

/// What a parser's complaint means for the client; nothing when there is nobody to tell.
std::optional<answer> complaint(const error_code& ec, const gateway_options& options)
{
    if (ec == http::error::body_limit)
        return problem(413, "The body is too large; send at most " + std::to_string(options.body_limit) +
                                " bytes in one request.");
    if (ec == http::error::header_limit || ec == http::error::buffer_overflow)
        return problem(431, "The header is too large; it may have " + std::to_string(options.header_limit) +
                                " bytes.");
    if (ec == http::error::bad_version)
        return problem(505, "Only HTTP/1.0 and HTTP/1.1 are spoken here.");
    if (ec == http::error::end_of_stream || ec == http::error::partial_message)
        return std::nullopt;
    if (ec.category() == make_error_code(http::error::bad_method).category())
        return problem(400, "This is not a valid HTTP request: " + ec.message() + '.');
    return std::nullopt;
}

request_data read_header(const parser_type::value_type& message)
{
    const auto field = [&](http::field name) { return std::string{message[name]}; };
    return {.method = std::string{message.method_string()},
            .target = std::string{message.target()},
            .content_type = field(http::field::content_type),
            .authorization = field(http::field::authorization),
            .host = field(http::field::host),
            .origin = field(http::field::origin),
            .fetch_site = std::string{message["Sec-Fetch-Site"]},
            .if_none_match = field(http::field::if_none_match),
            .body = {}};
}

/// The requests of one connection, one after another.
template<class Stream>
class conversation
{
public:
    conversation(Stream& stream, http_server& server, open_connection& self)
        : stream_{stream}, server_{server}, options_{server.options()}, self_{self},
          buffer_{options_.header_limit + 4096}
    {}

    asio::awaitable<void> run()
    {
        while (again_ && !server_.is_stopping()) {
            co_await wait_for_request();
            if (ec_)
                break;
            co_await take_request();
        }
        if (!ec_)
            co_await hang_up();
    }

private:
    auto token() { return asio::redirect_error(asio::use_awaitable, ec_); }
    auto& socket() { return beast::get_lowest_layer(stream_); }

    void note_timeout()
    {
        if (ec_ == beast::error::timeout)
            ++server_.api().counts().timeouts;
    }

    /// Waits for the first bytes, unless they have been read together with the request before.
    asio::awaitable<void> wait_for_request()
    {
        server_.make_evictable(self_);
        if (buffer_.size() != 0)
            co_return;
        socket().expires_after(options_.idle_timeout);
        self_.is_idle = true;
        const auto size = co_await stream_.async_read_some(buffer_.prepare(4096), token());
        self_.is_idle = false;
        buffer_.commit(size);
    }

    asio::awaitable<void> take_request()
    {
        parser_type parser;
        parser.header_limit(static_cast<std::uint32_t>(options_.header_limit));
        parser.body_limit(options_.body_limit);
        socket().expires_after(options_.header_timeout);
        // Evictable meanwhile: who sends headers slowly, or parts of them, must not keep others out.
        co_await http::async_read_header(stream_, buffer_, parser, token());
        self_.is_evictable = false;
        if (ec_) {
            co_await complain();
            co_return;
        }
        is_head_ = parser.get().method() == http::verb::head;
        request_data request = read_header(parser.get());
        std::optional<routed> where;
        answer result = admit(parser, request, where);
        if (where) {
            co_await read_body(parser);
            if (ec_) {
                co_await complain();
                co_return;
            }
            request.body = std::move(parser.get().body());
            again_ = parser.get().keep_alive();
            socket().expires_never();
            result = co_await server_.api().handle(std::move(*where), std::move(request));
        } else {
            again_ = parser.is_done() && parser.get().keep_alive();
        }
        co_await send(result);
    }

    /// Decides by the header whether to read on. If not, the answer says why.
    answer admit(const parser_type& parser, const request_data& header, std::optional<routed>& where)
    {
        const auto& message = parser.get();
        const auto expected = message[http::field::expect];
        if (message.version() >= 11 && message.count(http::field::host) != 1)
            return problem(400, "A request has one field Host.");
        if (!expected.empty() && !beast::iequals(expected, "100-continue"))
            return problem(417, "Of what may be expected, only 100-continue is known.");
        try {
            where = server_.api().admit(header);
            return {};
        } catch (refusal& refused) {
            return std::move(refused.what);
        }
    }

    asio::awaitable<void> read_body(parser_type& parser)
    {
        socket().expires_after(options_.body_timeout);
        if (!parser.is_done() && !parser.get()[http::field::expect].empty()) {
            const http::response<http::empty_body> go_on{http::status::continue_, 11};
            co_await http::async_write(stream_, go_on, token());
            if (ec_)
                co_return;
        }
        co_await http::async_read(stream_, buffer_, parser, token());
    }

    /// Answers what could not be read, if that can be answered at all.
    asio::awaitable<void> complain()
    {
        note_timeout();
        const auto text = complaint(ec_, options_);
        again_ = false;
        if (!text)
            co_return;
        ec_ = {};
        is_head_ = false;
        co_await send(*text);
    }

    template<class Body>
    void set_header(http::response<Body>& message, const answer& what)
    {
        message.result(what.status);
        message.reason(reason_phrase(what.status));
        const auto now = std::chrono::system_clock::now();
        message.set(http::field::date, format_http_date(std::chrono::floor<std::chrono::microseconds>(now)));
        message.set(http::field::content_type, what.content_type);
        message.set(http::field::cache_control, "no-store");
        message.set("X-Content-Type-Options", "nosniff");
        for (const auto& [name, value] : what.fields)
            message.set(name, value);
        if (what.status != 304) // which has no body, whatever it says of one
            message.content_length(what.body.size());
        message.keep_alive(again_);
    }

    asio::awaitable<void> send(const answer& what)
    {
        again_ = again_ && !server_.is_stopping();
        ++server_.api().counts().answers[what.status];
        socket().expires_after(options_.write_timeout);
        if (is_head_) {
            http::response<http::empty_body> message;
            set_header(message, what);
            co_await http::async_write(stream_, message, token());
        } else {
            http::response<http::string_body> message;
            message.body() = what.body;
            set_header(message, what);
            co_await http::async_write(stream_, message, token());
        }
        note_timeout();
    }

    /// Ends the connection so that the last answer arrives: were it closed with bytes unread, the system would
    /// tell the client to forget what it has not read yet.
    asio::awaitable<void> hang_up()
    {
        server_.make_evictable(self_);
        socket().expires_after(std::min<std::chrono::milliseconds>(options_.write_timeout, 2s));
        if constexpr (std::is_same_v<Stream, tls_stream>) {
            co_await stream_.async_shutdown(token());
        } else {
            socket().socket().shutdown(asio::ip::tcp::socket::shutdown_send, ec_);
        }
        buffer_.clear();
        std::size_t unread = 0;
        while (!ec_ && unread < 16 * options_.body_limit) {
            unread += co_await socket().async_read_some(buffer_.prepare(4096), token());
        }
    }

    Stream& stream_;
    http_server& server_;
    const gateway_options& options_;
    open_connection& self_;
    beast::flat_buffer buffer_;
    error_code ec_;
    bool again_ = true;
    bool is_head_ = false;
};

/// Lets the server end the connection for as long as this object is there.
class known_socket
{
public:
    known_socket(open_connection& connection, asio::ip::tcp::socket& socket) : connection_{connection}
    {
        connection_.socket = &socket;
    }
    ~known_socket() { connection_.socket = nullptr; }
    known_socket(const known_socket&) = delete;
    known_socket& operator=(const known_socket&) = delete;

private:
    open_connection& connection_;
};

} // namespace

asio::awaitable<void> serve_connection(asio::ip::tcp::socket socket, http_server& server,
                                       open_connection& self, asio::ssl::context* tls)
{
    error_code ec;
    socket.set_option(asio::ip::tcp::no_delay{true}, ec);
    beast::tcp_stream plain{std::move(socket)};
    if (!tls) {
        const known_socket known{self, plain.socket()};
        conversation<beast::tcp_stream> talk{plain, server, self};
        co_await talk.run();
        co_return;
    }
    tls_stream encrypted{std::move(plain), *tls};
    const known_socket known{self, beast::get_lowest_layer(encrypted).socket()};
    beast::get_lowest_layer(encrypted).expires_after(server.options().header_timeout);
    co_await encrypted.async_handshake(asio::ssl::stream_base::server,
                                       asio::redirect_error(asio::use_awaitable, ec));
    if (ec)
        co_return;
    conversation<tls_stream> talk{encrypted, server, self};
    co_await talk.run();
}

} // namespace coworker::detail
