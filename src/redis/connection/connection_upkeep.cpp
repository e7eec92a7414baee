// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster.hpp"
#include "redis/connection/connection.hpp"
#include "redis/connection/server_check.hpp"
#include "redis/until_one_ends.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/redis/connection.hpp>
#include <boost/redis/error.hpp>

/// How a client connects, checks the server, and hears from it.
namespace coworker::detail {

namespace redis = boost::redis;

namespace {

std::string describe(const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& thrown) {
        return thrown.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

/// What decides about the node of a cluster that hands a message on: its channel; of those to a connection, which each
/// node passes on, the key in the second line.
std::string_view about(std::string_view channel, std::string_view message, std::string_view control)
{
    if (channel != control)
        return channel;
    const auto end = message.find('\n');
    const auto rest = end == message.npos ? message : message.substr(end + 1);
    return rest.substr(0, rest.find('\n'));
}

} // namespace

// --- connecting --------------------------------------------------------------------

void connection::start()
{
    if (started_ || stopping_)
        return;
    if (cluster_) {
        cluster_->start();
        return;
    }
    started_ = true;
    if (stopping_) { // since just now, by another thread
        ended_ = true;
        return;
    }
    started_at_ = clock::now();
    // The coroutine owns the connection: it may outlive the client, never the other way round.
    asio::co_spawn(
        executor_, [self = shared_from_this()] { return self->run(); },
        [self = shared_from_this()](std::exception_ptr error) {
            if (error && !self->stopping_) // without one of its loops, it would only look connected
                self->fail(errc::stopped, describe(error));
            self->ended_ = true;
            self->connected_ = false;
            self->state_changed_.notify();
            self->watches_->notify_all();
        });
}

asio::awaitable<void> connection::run()
{
    co_await until_one_ends(connect_loop(), receive_loop(), check_loop(), sentinel_loop());
}

asio::awaitable<void> connection::connect_loop()
{
    while (!stopping_) {
        last_log_line_.clear();
        tls_trouble_->text.clear();
        const auto config = make_config();
        connecting_since_ = clock::now();
        const auto [ec] = co_await connection_->async_run(config, asio::as_tuple(asio::use_awaitable));
        if (stopping_)
            break;
        const bool was_connected = connected_;
        const bool was_left = leaving_;
        connection_lost();
        std::string why;
        if (ec == redis::error::resp3_hello)
            why = co_await find_out_why_the_setup_failed();
        if (stopping_)
            break;
        last_trouble_ = was_left      ? "it was left, since " + barred_because_
                        : why.empty() ? why_lost(ec, was_connected)
                                      : "refused: " + why;
        emit(event_kind::disconnected, last_trouble_);
        backoff_timer_.expires_after(backoff_.next(random_));
        error_code ignored;
        co_await backoff_timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    // What still waits to be sent will not be.
    connection_->cancel(redis::operation::exec);
}

void connection::connection_lost()
{
    gate_.close();
    // What waits to be written would be written behind the set-up of the next connection, before that is checked.
    connection_->cancel(redis::operation::exec);
    if (client_id_)
        former_.push_back({*client_id_, run_id_});
    client_id_.reset();
    told_ = false;
    const bool was_connected = std::exchange(connected_, false);
    check_due_ = resting_ = false;
    backoff_timer_.cancel();
    // A server that accepts no writes, or whose answers make no sense, is there: but it is to be asked less and less
    // often.
    const bool was_left = std::exchange(leaving_, false);
    if (was_connected && fit_ && !was_left && !barred_)
        backoff_.reset();
}

std::string connection::why_lost(error_code ec, bool was_connected) const
{
    if (!tls_trouble_->text.empty())
        return "the server's certificate is refused: " + tls_trouble_->text;
    const bool uses_tls = address_.kind == transport::tls;
    if (uses_tls && (ec == redis::error::ssl_handshake_timeout ||
                     last_log_line_.find("wrong version number") != std::string::npos))
        return "the server does not answer as one with TLS; the URL of a port without it begins with "
               "redis://";
    const bool makes_no_sense = ec == asio::error::eof || ec == asio::error::connection_reset ||
                                ec == redis::error::invalid_data_type;
    if (!uses_tls && !was_connected && makes_no_sense)
        return "what is there does not answer as Redis; the URL of a port for TLS begins with rediss://";
    return last_log_line_.empty() ? ec.message() : last_log_line_;
}

std::string connection::trouble() const
{
    if (!last_trouble_.empty())
        return last_trouble_;
    return last_log_line_.empty() ? "no answer" : last_log_line_;
}

void connection::fall_back_to_polling(std::string_view why)
{
    tracking_refused_ = true;
    emit(event_kind::warning, "Redis refuses CLIENT TRACKING, so queues are polled: " + std::string{why});
}

void connection::fail(errc code, const std::string& detail)
{
    failure_.emplace(code, address_.display() + ": " + detail);
    // In a cluster another node does what a replica does not do.
    if (code != errc::read_only_server || !hears_)
        emit(event_kind::warning, failure_->what());
    abandon();
}

// --- checking the server -------------------------------------------------------------

asio::awaitable<void> connection::check_loop()
{
    for (;;) {
        while (!check_due_)
            co_await state_changed_.wait();
        check_due_ = false;
        try {
            if (std::exchange(resting_, false))
                co_await rest();
            else
                co_await check_server();
        } catch (const system_error& error) {
            if (stopping_)
                throw;
            // Nonsense was answered. The next connection is checked again.
            emit(event_kind::warning, error.what());
            barred_because_ = error.what();
            leave();
        }
    }
}

asio::awaitable<void> connection::check_server()
{
    redis::request request;
    request.push("CLIENT", "ID");
    request.push("INFO");
    reply answers;
    const auto [ec, size] =
        co_await connection_->async_exec(request, answers.tree, asio::as_tuple(asio::use_awaitable));
    if (ec)
        co_return;
    server_facts facts;
    if (answers[1].is_error())
        emit(event_kind::warning,
             "Redis refuses INFO, so its settings are not checked: " + std::string{answers[1].text()});
    else
        facts = parse_info(answers[1].text());
    note_client_id(answers[0]);

    run_id_ = facts.run_id;
    const auto [error, detail] = judge(facts, options_.accept_eviction);
    if (error && !fit_) {
        fail(static_cast<errc>(error.value()), detail);
        co_return;
    }
    if (error == errc::read_only_server) {
        leave_read_only_server(detail);
        co_return;
    }
    if (error)
        emit(event_kind::warning, error.message() + ": " + detail);
    const bool is_there = co_await end_former_connections();
    if (!is_there)
        co_return;
    if (!std::exchange(told_, true))
        emit(fit_ ? event_kind::reconnected : event_kind::connected, facts.version);
    fit_ = true;
    last_trouble_.clear();
    if (!std::exchange(barred_, false)) // it may be barred again at the next write
        backoff_.reset();
    state_changed_.notify();
    gate_.open();
}

void connection::note_client_id(const reply::answer& told)
{
    if (told.is_error())
        warn_once(
            "what a lost connection still carries may be carried out late, since CLIENT ID is refused: " +
            std::string{told.text()});
    else
        client_id_ = told.integer();
}

/// The network may deliver what was written on a connection long after it was given up. Nothing of that may be carried
/// out behind what is repeated: so the server closes such a connection before any call is sent on this one.
asio::awaitable<bool> connection::end_former_connections()
{
    constexpr std::size_t most_elsewhere = 16; // on other servers, which may come back
    redis::request kill;
    for (const auto& [id, run_id] : former_)
        if (run_id.empty())
            warn_once("what a lost connection still carries may be carried out late, since INFO is refused");
        else if (run_id == run_id_)
            kill.push("CLIENT", "KILL", "ID", id);
    reply answers;
    if (kill.get_commands() != 0) {
        const auto [ec, size] =
            co_await connection_->async_exec(kill, answers.tree, asio::as_tuple(asio::use_awaitable));
        if (ec)
            co_return false;
        if (answers[0].is_error())
            warn_once("what a lost connection still carries may be carried out late, since CLIENT KILL is "
                      "refused: " +
                      std::string{answers[0].text()});
    }
    std::erase_if(former_, [this](const auto& each) { return each.run_id == run_id_; });
    if (former_.size() > most_elsewhere)
        former_.erase(former_.begin(), former_.end() - most_elsewhere);
    co_return true;
}

/// On a server that refuses writes for now: calls may try again after a pause.
asio::awaitable<void> connection::rest()
{
    backoff_timer_.expires_after(backoff_.next(random_));
    error_code ignored;
    co_await backoff_timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (!connected_ || leaving_)
        co_return;
    barred_ = false;
    state_changed_.notify();
    gate_.open();
}

asio::awaitable<void> connection::ready(patience how_long)
{
    const auto self = shared_from_this(); // the client may be destroyed meanwhile
    start();
    if (cluster_) {
        co_await cluster_->ready(how_long);
        co_return;
    }
    if (fit_ && !barred_ && !stopping_)
        co_return;
    const auto limit = options_.connect_timeout;
    co_await ready_until(how_long == patience::unlimited || limit.count() == 0 ? clock::time_point::max()
                                                                               : clock::now() + limit);
}

asio::awaitable<void> connection::ready_until(clock::time_point deadline)
{
    asio::steady_timer timeout{executor_, deadline};
    if (deadline != clock::time_point::max())
        timeout.async_wait([self = shared_from_this()](error_code ec) {
            if (!ec)
                self->state_changed_.notify();
        });
    while (!fit_ || barred_ || stopping_) {
        if (failure_)
            throw *failure_;
        if (stopping_)
            throw system_error{errc::stopped};
        if (clock::now() >= deadline) {
            if (barred_)
                throw system_error{errc::read_only_server, address_.display() + ": " + barred_because_};
            throw system_error{errc::unavailable, address_.display() + ": " + trouble()};
        }
        co_await state_changed_.wait();
    }
}

// --- pushes --------------------------------------------------------------------------

asio::awaitable<void> connection::receive_loop()
{
    for (;;) {
        co_await connection_->async_receive2(asio::use_awaitable);
        handle_pushes();
        pushes_.clear();
    }
}

void connection::handle_pushes()
{
    const std::span<const reply_node> nodes{pushes_.begin(), pushes_.end()};
    std::size_t begin = 0;
    while (begin != nodes.size()) {
        std::size_t end = begin + 1;
        while (end != nodes.size() && nodes[end].depth != 0)
            ++end;
        handle_push(nodes.subspan(begin, end - begin));
        begin = end;
    }
}

void connection::handle_push(std::span<const reply_node> message)
{
    if (message.size() < 2)
        return;
    const auto kind = message[1].value;
    if (kind == "invalidate") {
        if (message.size() < 4) { // without keys: all of them, after FLUSHALL
            watches_->notify_all();
            return;
        }
        for (const auto& key : message.subspan(3))
            watches_->notify(key.value);
    } else if (kind == "message" && message.size() == 4) {
        if (!hears_ || hears_(about(message[2].value, message[3].value, control_channel_)))
            channels_->notify(message[2].value, message[3].value);
    } else if (kind == "subscribe" && message.size() > 2 && message[2].value == control_channel_) {
        connected_ = true;
        check_due_ = true;
        state_changed_.notify();
        watches_->notify_all(); // what had been armed is not armed on this connection
        channels_->notify_new_connection();
        for (auto* who : listeners_)
            who->new_connection();
    }
}

} // namespace coworker::detail
