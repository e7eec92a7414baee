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

std::string_view text_in(const beast::flat_buffer& buffer) noexcept
{
    return {static_cast<const char*>(buffer.data().data()), buffer.size()};
}

/// Of an empty line: more will come.
bool is_half_an_end(std::string_view text) noexcept
{
    return text == "\r";
}

/// A field that goes on in the next line, which others may read as another field. Looks at the first header of `text`.
bool has_folded_field(std::string_view text) noexcept
{
    text = text.substr(0, text.find("\r\n\r\n"));
    return text.find("\r\n ") != text.npos || text.find("\r\n\t") != text.npos;
}

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

/// Some clients send one behind a body.
void request_reader::pass_over_empty_lines() noexcept
{
    auto& buffer = state_->buffer;
    constexpr std::string_view end = "\r\n";
    while (text_in(buffer).starts_with(end))
        buffer.consume(end.size());
}

bool request_reader::has_begun() noexcept
{
    pass_over_empty_lines();
    return state_->buffer.size() != 0 && !is_half_an_end(text_in(state_->buffer));
}

asio::awaitable<void> request_reader::wait(error_code& ec)
{
    state_->parser.reset(); // an idle connection needs little
    do {
        const auto size = co_await stream_.read_some(state_->buffer.prepare(4096), ec);
        state_->buffer.commit(size);
    } while (!ec && !has_begun());
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
    const auto coding = message[http::field::transfer_encoding],
               encoding = message[http::field::content_encoding];
    if (message.version() >= 11 && message.count(http::field::host) != 1)
        return problem(400, "A request has one field Host.");
    if (!expected.empty() && !beast::iequals(expected, "100-continue"))
        return problem(417, "Of what may be expected, only 100-continue is known.");
    if (message.count(http::field::transfer_encoding) > 1 ||
        (!coding.empty() && !beast::iequals(coding, "chunked")))
        return problem(501, "Of transfer codings only chunked is known; send the body as it is.");
    if (!encoding.empty() && !beast::iequals(encoding, "identity"))
        return problem(415, "Bodies cannot be compressed; send the body without Content-Encoding.");
    return std::nullopt;
}

void request_reader::begin_body(bool has_tokens, error_code& ec)
{
    auto& parser = *state_->parser;
    if (has_tokens)
        body_limit_ = std::max(options_.body_limit, largest_token);
    parser.body_limit(body_limit_);
    if (!fits(announced_size().value_or(0), has_tokens)) {
        ec = http::error::body_limit;
        return;
    }
    parser.eager(true);
    parse_until([&] { return parser.is_done(); }, ec);
}

bool request_reader::fits(std::uint64_t size, bool has_tokens) const noexcept
{
    return size <= (has_tokens ? std::max(options_.body_limit, largest_token) : options_.body_limit);
}

std::optional<std::uint64_t> request_reader::announced_size() const
{
    const auto size = state_->parser->content_length();
    return size ? std::optional<std::uint64_t>{*size} : std::nullopt;
}

asio::awaitable<void> request_reader::read_body(memory_share& held, error_code& ec)
{
    if (!state_->parser->get()[http::field::expect].empty()) {
        co_await stream_.write("HTTP/1.1 100 Continue\r\n\r\n", ec);
        if (ec)
            co_return;
    }
    bool has_room = true;
    const auto is_complete = [&] {
        const auto size = state_->parser->get().body().size();
        has_room = size <= held.held() || held.resize(size);
        return is_done() || !has_room;
    };
    co_await read_until(is_complete, ec);
    if (!ec && !has_room)
        ec = asio::error::no_memory;
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

bool request_reader::is_old() const noexcept
{
    return state_->parser->get().version() < 11;
}

/// Gives the parser what has come, until as much of the request as is asked for is complete. Whether that is so, or an
/// error.
template<class Condition>
bool request_reader::parse_until(Condition is_complete, error_code& ec)
{
    auto& buffer = state_->buffer;
    ec = {};
    if (!state_->parser->got_some()) {
        pass_over_empty_lines();
        if (is_half_an_end(text_in(buffer)))
            return false;
    }
    if (!has_header() && has_folded_field(text_in(buffer)))
        ec = http::error::bad_obs_fold;
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
    if (ec == asio::error::no_memory)
        return answer_of(refuse_for_want_of_memory());
    if (ec == http::error::bad_version)
        return problem(505, "Only HTTP/1.0 and HTTP/1.1 are spoken here.");
    if (ec == http::error::end_of_stream || ec == http::error::partial_message)
        return std::nullopt;
    if (ec.category() == make_error_code(http::error::bad_method).category())
        return problem(400, "This is not a valid HTTP request: " + ec.message() + '.');
    return std::nullopt;
}

} // namespace coworker::detail
