// SPDX-License-Identifier: MIT
#include "redis/server_connection/server_check.hpp"
#include "redis/server_connection/server_connection.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/redis/connection.hpp>

#include <algorithm>
#include <utility>

/// How a client checks a server before it sends anything, and how calls wait for that.
namespace coworker::detail {

namespace redis = boost::redis;

asio::awaitable<void> server_connection::check_loop()
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
            if (is_stopping())
                throw;
            // Nonsense was answered. The next connection is checked again.
            emit(event_kind::warning, error.what());
            barred_because_ = error.what();
            leave();
        }
    }
}

asio::awaitable<void> server_connection::check_server()
{
    redis::request request;
    request.push("CLIENT", "ID");
    request.push("INFO");
    if (!hears_) // of a cluster, only one node has the key: the cluster asks it
        request.push("GET", layout_key);
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
    const auto [error, detail] = judge(facts, options().accept_eviction);
    if (error && !fit_) {
        fail(static_cast<errc>(error.value()), detail);
        co_return;
    }
    if (!hears_ && !knows_layout(answers[2]))
        co_return;
    if (error == errc::read_only_server) {
        leave_read_only_server(detail);
        co_return;
    }
    if (error)
        emit(event_kind::warning, error.message() + ": " + detail);
    const bool is_there = co_await end_former_connections();
    if (!is_there || idle_)
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

/// False: the connection has failed for good, since what is kept there must not be touched by this release; or it is
/// left, since the server does not tell yet.
bool server_connection::knows_layout(const reply::answer& told)
{
    if (told.is_error() && told.text().starts_with("LOADING")) {
        last_trouble_ = told.text();
        leave();
        return false;
    }
    if (told.is_error()) {
        warn_once("a newer layout of the keys would not be noticed, since GET " + std::string{layout_key} +
                  " is refused: " + std::string{told.text()});
        return true;
    }
    const auto [error, detail] = judge_layout(told.text());
    if (error)
        fail(errc::newer_layout, detail);
    return !error;
}

void server_connection::note_client_id(const reply::answer& told)
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
asio::awaitable<bool> server_connection::end_former_connections()
{
    const auto former = former_->at(run_id_);
    if (former.empty())
        co_return true;
    if (run_id_.empty()) {
        warn_once("what a lost connection still carries may be carried out late, since INFO is refused");
    } else {
        redis::request kill;
        for (const auto id : former)
            kill.push("CLIENT", "KILL", "ID", id);
        reply answers;
        const auto [ec, size] =
            co_await connection_->async_exec(kill, answers.tree, asio::as_tuple(asio::use_awaitable));
        if (ec)
            co_return false;
        if (answers[0].is_error())
            warn_once("what a lost connection still carries may be carried out late, since CLIENT KILL is "
                      "refused: " +
                      std::string{answers[0].text()});
    }
    former_->remove(former, run_id_);
    co_return true;
}

/// On a server that refuses writes for now: calls may try again after a pause.
asio::awaitable<void> server_connection::rest()
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

// --- waiting for it ------------------------------------------------------------------

asio::awaitable<void> server_connection::ready(patience how_long)
{
    return ready_by(clock::time_point::max(), how_long);
}

asio::awaitable<void> server_connection::ready_by(clock::time_point latest, patience how_long)
{
    const auto self = shared_from_this(); // the client may be destroyed meanwhile
    const auto limit = options().connect_timeout;
    if (how_long != patience::unlimited && limit.count() != 0)
        latest = std::min(latest, clock::now() + limit);
    if (!may_send())
        co_await pass_gate(latest);
}

asio::awaitable<void> server_connection::pass_gate(clock::time_point deadline)
{
    call_gate::place mine{gate_, deadline};
    start();
    while (is_stopping() || !mine.may_pass()) {
        throw_if_unusable(deadline);
        co_await mine.wait();
    }
}

void server_connection::throw_if_unusable(clock::time_point deadline) const
{
    if (failure_)
        throw *failure_;
    if (is_stopping())
        throw system_error{errc::stopped};
    if (clock::now() < deadline)
        return;
    if (barred_)
        throw system_error{errc::read_only_server, shown_place() + ": " + barred_because_};
    throw system_error{errc::unavailable, shown_place() + ": " + trouble()};
}

} // namespace coworker::detail
