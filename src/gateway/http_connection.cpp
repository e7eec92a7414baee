// SPDX-License-Identifier: MIT
#include "gateway/answer_sender.hpp"
#include "gateway/byte_stream.hpp"
#include "gateway/departure.hpp"
#include "gateway/memory_share.hpp"
#include "gateway/request_account.hpp"
#include "gateway/request_reader.hpp"
#include "gateway/server.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>

namespace coworker::detail {
namespace {

using namespace std::chrono_literals;

/// The requests of one connection, one after another.
class conversation
{
public:
    conversation(byte_stream& stream, timed_socket& socket, http_server& server, open_connection& self,
                 bool is_encrypted)
        : stream_{stream}, socket_{socket}, server_{server}, options_{server.options()}, self_{self},
          reader_{stream, options_}, sender_{stream, socket, options_.write_timeout},
          account_{options_, socket.socket()}, is_encrypted_{is_encrypted}
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
        if (reader_.has_begun())
            co_return;
        socket_.expires_after(options_.idle_timeout);
        self_.is_idle = true;
        co_await reader_.wait(ec_);
        self_.is_idle = false;
    }

    asio::awaitable<void> take_request()
    {
        account_.begin(stream_);
        socket_.expires_after(options_.header_timeout);
        // Evictable meanwhile: who sends headers slowly, or parts of them, must not keep others out.
        reader_.begin(ec_);
        if (!ec_ && !reader_.has_header())
            co_await reader_.read_header(ec_);
        if (ec_) {
            co_await complain();
            co_return;
        }
        is_head_ = reader_.is_head();
        const auto request = reader_.header();
        account_.note(request, server_.api().visitor_of(request));
        memory_share held{server_.memory()};
        std::optional<routed> where;
        auto result = admit(request, where);
        if (where) {
            const auto& facts = where->route->facts;
            account_.note(*where->route);
            self_.is_evictable = facts.is_open; // what everybody may ask for must not keep others out, either
            co_await read_body(facts, held);
            if (ec_) {
                co_await complain();
                co_return;
            }
            result = co_await answer_to(std::move(*where), request, held);
        }
        again_ = reader_.is_done() && reader_.keeps_alive();
        co_await send(result);
    }

    /// Of a request without a body only what has come of one is read.
    asio::awaitable<void> read_body(const route_facts& facts, memory_share& held)
    {
        constexpr std::size_t small = 4096;
        const auto size = reader_.announced_size().value_or(0);
        const bool takes_body = facts.takes_body;
        if (!takes_body && size > small)
            co_return;
        socket_.expires_without_progress(options_.body_timeout);
        if (!held.resize(reader_.fits(size, facts.has_tokens) ? size : 0)) {
            ec_ = asio::error::no_memory;
            co_return;
        }
        reader_.begin_body(facts.has_tokens, ec_);
        if (!ec_ && takes_body && !reader_.is_done())
            co_await reader_.read_body(held, ec_);
    }

    asio::awaitable<answer> answer_to(routed where, request_data request, memory_share& held)
    {
        request.body = reader_.take_body();
        socket_.expires_never();
        const bool waits = where.route->facts.waits, only_looks = where.route->method == "GET";
        answer result;
        try {
            if (waits)
                result = co_await handle_while_there(std::move(where), std::move(request), held);
            else
                result = co_await server_.api().handle(std::move(where), std::move(request), &held);
        } catch (...) {
            account_.tell(options_, stream_, nullptr);
            throw;
        }
        // What has been changed is told in any case: these answers are small.
        if ((only_looks || result.if_undelivered) && !result.next_part && !held.resize(result.body.size())) {
            co_await undo(result);
            result = answer_of(refuse_for_want_of_memory());
        }
        if (!result.next_part)
            held.insist(result.body.size());
        co_return result;
    }

    /// For requests that may wait for long: ends this when the client goes, which a waiting one says by closing its
    /// side. One that has sent the next request already is waited for.
    asio::awaitable<answer> handle_while_there(routed where, request_data request, memory_share& held)
    {
        const departure leaving{socket_.shared_from_this()};
        answer result = co_await asio::co_spawn(
            socket_.get_executor(), server_.api().handle(std::move(where), std::move(request), &held),
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
    answer admit(const request_data& header, std::optional<routed>& where)
    {
        if (auto wrong = reader_.refusal_of_header())
            return std::move(*wrong);
        try {
            where = server_.api().admit(header);
            return {};
        } catch (const refusal& refused) {
            return answer_of(refused);
        }
    }

    /// Answers what could not be read, if that can be answered at all.
    asio::awaitable<void> complain()
    {
        note_timeout();
        const auto text = reader_.complaint(ec_);
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
        const head_facts facts{.keep_alive = again_,
                               .says_keep_alive = reader_.has_header() && reader_.is_old(),
                               .is_encrypted = is_encrypted_};
        co_await sender_.send(what, is_head_, facts, ec_);
        account_.tell(options_, stream_, &what);
        note_timeout();
        if (ec_)
            co_await undo(what);
    }

    /// Ends the connection so that the last answer arrives: were it closed with bytes unread, the system would
    /// tell the client to forget what it has not read yet.
    asio::awaitable<void> hang_up()
    {
        server_.make_evictable(self_);
        socket_.expires_after(std::min<std::chrono::milliseconds>(options_.write_timeout, 2s));
        co_await stream_.shutdown(ec_);
        std::array<char, 4096> bytes;
        std::size_t unread = 0;
        while (!ec_ && unread < 16 * options_.body_limit)
            unread += co_await socket_.async_read_some(asio::buffer(bytes),
                                                       asio::redirect_error(asio::use_awaitable, ec_));
    }

    byte_stream& stream_;
    timed_socket& socket_;
    http_server& server_;
    const gateway_options& options_;
    open_connection& self_;
    request_reader reader_;
    answer_sender sender_;
    request_account account_;
    error_code ec_;
    bool is_encrypted_;
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
    conversation talk{*stream, *timed, server, self, tls != nullptr};
    co_await talk.run();
}

} // namespace coworker::detail
