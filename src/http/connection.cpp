// SPDX-License-Identifier: MIT

// The one file that compiles Beast: its HTTP parser, fed here by hand, so that no operation of Beast is compiled.
#include "http/answer_head.hpp"
#include "http/byte_stream.hpp"
#include "http/departure.hpp"
#include "http/server.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

namespace coworker::detail {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using namespace std::chrono_literals;
using parser_type = http::request_parser<http::string_body>;

/// Of the token of the largest job that is delivered.
constexpr std::size_t largest_token = 40 * 1024 * 1024;

/// What a parser's complaint means for the client; nothing when there is nobody to tell.
std::optional<answer> complaint(const error_code& ec, const gateway_options& options,
                                std::uint64_t body_limit)
{
    if (ec == http::error::body_limit)
        return problem(413, "The body is too large; send at most " + std::to_string(body_limit) +
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
class conversation
{
public:
    conversation(byte_stream& stream, timed_socket& socket, http_server& server, open_connection& self)
        : stream_{stream}, socket_{socket}, server_{server}, options_{server.options()}, self_{self},
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
    void note_timeout()
    {
        if (socket_.has_timed_out())
            ++server_.api().counts().timeouts;
    }

    /// Waits for the first bytes, unless they have been read together with the request before.
    asio::awaitable<void> wait_for_request()
    {
        server_.make_evictable(self_);
        if (buffer_.size() != 0)
            co_return;
        socket_.expires_after(options_.idle_timeout);
        self_.is_idle = true;
        const auto size = co_await stream_.read_some(buffer_.prepare(4096), ec_);
        self_.is_idle = false;
        buffer_.commit(size);
    }

    asio::awaitable<void> take_request()
    {
        parser_type parser;
        parser.header_limit(static_cast<std::uint32_t>(options_.header_limit));
        parser.body_limit(std::max(options_.body_limit, largest_token)); // until the route is known
        body_limit_ = options_.body_limit;
        socket_.expires_after(options_.header_timeout);
        // Evictable meanwhile: who sends headers slowly, or parts of them, must not keep others out.
        co_await read_until(parser, [&] { return parser.is_header_done(); });
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
            co_await read_body(parser, where->route->facts.has_tokens);
            if (ec_) {
                co_await complain();
                co_return;
            }
            request.body = std::move(parser.get().body());
            again_ = parser.get().keep_alive();
            socket_.expires_never();
            if (where->route->facts.waits)
                result = co_await handle_while_there(std::move(*where), std::move(request));
            else
                result = co_await server_.api().handle(std::move(*where), std::move(request));
        } else {
            again_ = parser.is_done() && parser.get().keep_alive();
        }
        co_await send(result);
    }

    /// For requests that may wait for long: ends this when the client goes, which a waiting one says by closing its side.
    /// One that has sent the next request already is waited for.
    asio::awaitable<answer> handle_while_there(routed where, request_data request)
    {
        const departure leaving{socket_.shared_from_this()};
        answer result = co_await asio::co_spawn(
            socket_.get_executor(), server_.api().handle(std::move(where), std::move(request)),
            asio::bind_cancellation_slot(leaving.ends_waiting(), asio::use_awaitable));
        if (leaving.has_happened()) {
            co_await undo(result);
            throw system_error{asio::error::connection_aborted};
        }
        co_return result;
    }

    /// Nobody reads this answer.
    asio::awaitable<void> undo(const answer& what)
    {
        if (!what.if_undelivered)
            co_return;
        co_await asio::this_coro::throw_if_cancelled(false);
        co_await what.if_undelivered();
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

    asio::awaitable<void> read_body(parser_type& parser, bool has_tokens)
    {
        if (has_tokens)
            body_limit_ = std::max(options_.body_limit, largest_token);
        parser.body_limit(body_limit_);
        if (const auto length = parser.content_length(); length && *length > body_limit_) {
            ec_ = http::error::body_limit;
            co_return;
        }
        socket_.expires_after(options_.body_timeout);
        if (!parser.is_done() && !parser.get()[http::field::expect].empty()) {
            co_await stream_.write("HTTP/1.1 100 Continue\r\n\r\n", ec_);
            if (ec_)
                co_return;
        }
        parser.eager(true);
        co_await read_until(parser, [&] { return parser.is_done(); });
    }

    /// Reads, and gives the parser what has come, until as much of the request as is asked for is complete.
    template<class Condition>
    asio::awaitable<void> read_until(parser_type& parser, Condition is_complete)
    {
        ec_ = {};
        while (!ec_ && !is_complete()) {
            if (buffer_.size() != 0) {
                buffer_.consume(parser.put(buffer_.data(), ec_));
                if (ec_ != http::error::need_more)
                    continue;
                ec_ = {};
            }
            co_await read_more(parser);
        }
    }

    asio::awaitable<void> read_more(parser_type& parser)
    {
        const auto room = std::min<std::size_t>(buffer_.max_size() - buffer_.size(), 64 * 1024);
        if (room == 0) {
            ec_ = http::error::buffer_overflow;
            co_return;
        }
        const auto size = co_await stream_.read_some(buffer_.prepare(room), ec_);
        buffer_.commit(size);
        if (ec_ != asio::error::eof)
            co_return;
        ec_ = http::error::end_of_stream;
        if (parser.got_some()) {
            ec_ = {};
            parser.put_eof(ec_);
        }
    }

    /// Answers what could not be read, if that can be answered at all.
    asio::awaitable<void> complain()
    {
        note_timeout();
        const auto text = complaint(ec_, options_, body_limit_);
        again_ = false;
        if (!text)
            co_return;
        ec_ = {};
        is_head_ = false;
        co_await send(*text);
    }

    asio::awaitable<void> send(const answer& what)
    {
        again_ = again_ && !server_.is_stopping() && !what.next_part;
        ++server_.api().counts().answers[what.status];
        socket_.expires_after(options_.write_timeout);
        std::string text = format_head(what, again_);
        if (!is_head_)
            text += what.body;
        co_await stream_.write(text, ec_);
        if (!ec_ && what.next_part && !is_head_)
            co_await send_parts(what);
        note_timeout();
        if (ec_)
            co_await undo(what);
    }

    /// Until there are no more, or the client has gone, or reads too slowly.
    asio::awaitable<void> send_parts(const answer& what)
    {
        const departure leaving{socket_.shared_from_this()};
        while (!ec_) {
            socket_.expires_never();
            const auto part = co_await asio::co_spawn(
                socket_.get_executor(), what.next_part(),
                asio::bind_cancellation_slot(leaving.ends_waiting(), asio::use_awaitable));
            if (part.empty())
                break;
            socket_.expires_after(options_.write_timeout);
            co_await stream_.write(part, ec_);
        }
    }

    /// Ends the connection so that the last answer arrives: were it closed with bytes unread, the system would
    /// tell the client to forget what it has not read yet.
    asio::awaitable<void> hang_up()
    {
        server_.make_evictable(self_);
        socket_.expires_after(std::min<std::chrono::milliseconds>(options_.write_timeout, 2s));
        co_await stream_.shutdown(ec_);
        buffer_.clear();
        std::size_t unread = 0;
        while (!ec_ && unread < 16 * options_.body_limit)
            unread += co_await socket_.async_read_some(buffer_.prepare(4096),
                                                       asio::redirect_error(asio::use_awaitable, ec_));
    }

    byte_stream& stream_;
    timed_socket& socket_;
    http_server& server_;
    const gateway_options& options_;
    open_connection& self_;
    beast::flat_buffer buffer_;
    error_code ec_;
    std::uint64_t body_limit_ = 0; ///< of this request
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
    const auto timed = std::make_shared<timed_socket>(std::move(socket));
    const known_socket known{self, timed->socket()};
    const auto stream = byte_stream::make(timed, tls);
    timed->expires_after(server.options().header_timeout);
    co_await stream->handshake(ec);
    if (ec)
        co_return;
    conversation talk{*stream, *timed, server, self};
    co_await talk.run();
}

} // namespace coworker::detail
