// SPDX-License-Identifier: MIT

// The one file that compiles Beast: its HTTP parser, fed here by hand, so that no operation of Beast is compiled.
#include "gateway/request_reader.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>

namespace coworker::detail {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

/// Of the token of the largest job that is delivered.
constexpr std::size_t largest_token = 40 * 1024 * 1024;

} // namespace

struct request_reader::state
{
    explicit state(std::size_t room) : buffer{room} {}

    beast::flat_buffer buffer;
    std::optional<http::request_parser<http::string_body>> parser{};
};

request_reader::request_reader(byte_stream& stream, const gateway_options& options)
    : stream_{stream}, options_{options}, body_limit_{options.body_limit}, state_{std::make_unique<state>(
                                                                               options.header_limit + 4096)}
{}

request_reader::~request_reader() = default;

bool request_reader::has_begun() const noexcept
{
    return state_->buffer.size() != 0;
}

asio::awaitable<void> request_reader::wait(error_code& ec)
{
    state_->parser.reset(); // an idle connection needs little
    const auto size = co_await stream_.read_some(state_->buffer.prepare(4096), ec);
    state_->buffer.commit(size);
}

void request_reader::begin(error_code& ec)
{
    auto& parser = state_->parser.emplace();
    parser.header_limit(static_cast<std::uint32_t>(options_.header_limit));
    parser.body_limit(std::max(options_.body_limit, largest_token)); // until the route is known
    body_limit_ = options_.body_limit;
    parse_until([&] { return has_header(); }, ec);
}

bool request_reader::has_header() const noexcept
{
    return state_->parser->is_header_done();
}

asio::awaitable<void> request_reader::read_header(error_code& ec)
{
    return read_until([this] { return has_header(); }, ec);
}

request_data request_reader::header() const
{
    const auto& message = state_->parser->get();
    return {.method = message.method_string(),
            .target = message.target(),
            .content_type = message[http::field::content_type],
            .authorization = message[http::field::authorization],
            .host = message[http::field::host],
            .origin = message[http::field::origin],
            .fetch_site = message["Sec-Fetch-Site"],
            .if_none_match = message[http::field::if_none_match],
            .body = {}};
}

bool request_reader::is_head() const noexcept
{
    return state_->parser->get().method() == http::verb::head;
}

std::optional<answer> request_reader::refusal_of_header() const
{
    const auto& message = state_->parser->get();
    const auto expected = message[http::field::expect];
    if (message.version() >= 11 && message.count(http::field::host) != 1)
        return problem(400, "A request has one field Host.");
    if (!expected.empty() && !beast::iequals(expected, "100-continue"))
        return problem(417, "Of what may be expected, only 100-continue is known.");
    return std::nullopt;
}

void request_reader::begin_body(bool has_tokens, error_code& ec)
{
    auto& parser = *state_->parser;
    if (has_tokens)
        body_limit_ = std::max(options_.body_limit, largest_token);
    parser.body_limit(body_limit_);
    if (const auto length = parser.content_length(); length && *length > body_limit_) {
        ec = http::error::body_limit;
        return;
    }
    parser.eager(true);
    parse_until([&] { return parser.is_done(); }, ec);
}

asio::awaitable<void> request_reader::read_body(error_code& ec)
{
    if (!state_->parser->get()[http::field::expect].empty()) {
        co_await stream_.write("HTTP/1.1 100 Continue\r\n\r\n", ec);
        if (ec)
            co_return;
    }
    co_await read_until([this] { return is_done(); }, ec);
}

std::string request_reader::take_body()
{
    return std::move(state_->parser->get().body());
}

bool request_reader::is_done() const noexcept
{
    return state_->parser->is_done();
}

bool request_reader::keeps_alive() const noexcept
{
    return state_->parser->get().keep_alive();
}

/// Gives the parser what has come, until as much of the request as is asked for is complete. Whether that is so, or an
/// error.
template<class Condition>
bool request_reader::parse_until(Condition is_complete, error_code& ec)
{
    auto& buffer = state_->buffer;
    ec = {};
    while (!ec && !is_complete() && buffer.size() != 0)
        buffer.consume(state_->parser->put(buffer.data(), ec));
    if (ec == http::error::need_more)
        ec = {};
    return ec || is_complete();
}

/// Reads on until then.
template<class Condition>
asio::awaitable<void> request_reader::read_until(Condition is_complete, error_code& ec)
{
    do {
        co_await read_more(ec);
    } while (!ec && !parse_until(is_complete, ec));
}

asio::awaitable<void> request_reader::read_more(error_code& ec)
{
    auto& buffer = state_->buffer;
    const auto room = std::min<std::size_t>(buffer.max_size() - buffer.size(), 64 * 1024);
    if (room == 0) {
        ec = http::error::buffer_overflow;
        co_return;
    }
    const auto size = co_await stream_.read_some(buffer.prepare(room), ec);
    buffer.commit(size);
    if (ec != asio::error::eof)
        co_return;
    ec = http::error::end_of_stream;
    if (state_->parser->got_some()) {
        ec = {};
        state_->parser->put_eof(ec);
    }
}

std::optional<answer> request_reader::complaint(const error_code& ec) const
{
    if (ec == http::error::body_limit)
        return problem(413, "The body is too large; send at most " + std::to_string(body_limit_) +
                                " bytes in one request.");
    if (ec == http::error::header_limit || ec == http::error::buffer_overflow)
        return problem(431, "The header is too large; it may have " + std::to_string(options_.header_limit) +
                                " bytes.");
    if (ec == http::error::bad_version)
        return problem(505, "Only HTTP/1.0 and HTTP/1.1 are spoken here.");
    if (ec == http::error::end_of_stream || ec == http::error::partial_message)
        return std::nullopt;
    if (ec.category() == make_error_code(http::error::bad_method).category())
        return problem(400, "This is not a valid HTTP request: " + ec.message() + '.');
    return std::nullopt;
}

} // namespace coworker::detail
