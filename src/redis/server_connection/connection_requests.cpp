// SPDX-License-Identifier: MIT
#include "redis/counted_call.hpp"
#include "redis/server_connection/server_connection.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/redis/adapter/any_adapter.hpp>
#include <boost/redis/connection.hpp>

#include <algorithm>
#include <utility>

/// How requests go to Redis.
namespace coworker::detail {

namespace redis = boost::redis;

server_connection::clock::time_point server_connection::deadline_of(patience how_long) const
{
    const auto limit = options().command_timeout;
    return how_long == patience::unlimited || limit.count() == 0 ? clock::time_point::max()
                                                                 : clock::now() + limit;
}

asio::awaitable<void> server_connection::exec(const redis::request& request, reply& answers,
                                              patience how_long)
{
    return exec_by(clock::time_point::max(), request, answers, how_long);
}

asio::awaitable<void> server_connection::exec_by(clock::time_point latest, const redis::request& request,
                                                 reply& answers, patience how_long)
{
    const auto self = shared_from_this(); // the client may be destroyed meanwhile
    check_thread();
    if (!has_been_ready())
        co_await ready_by(latest, how_long);
    const counted_call under_way{requests_under_way_, state_changed_};
    const auto deadline = std::min(deadline_of(how_long), latest);
    do {
        if (!may_send())
            co_await pass_gate(deadline);
        if (const auto ec = co_await send(request, redis::any_adapter{answers.tree}, deadline)) {
            const auto state = co_await asio::this_coro::cancellation_state;
            std::rethrow_exception(reason(ec, state.cancelled() != asio::cancellation_type::none, deadline));
        }
    } while (is_to_be_repeated(answers, deadline));
}

asio::awaitable<error_code> server_connection::send(const redis::request& request,
                                                    const redis::any_adapter& answers,
                                                    clock::time_point deadline)
{
    time_limits::limited call{*limits_, deadline};
    auto cancelled = (co_await asio::this_coro::cancellation_state).slot();
    if (cancelled.is_connected())
        cancelled.assign([&call](asio::cancellation_type) { call.cancel(); });
    ++requests_sent_;
    used_ = true;
    const auto [ec, size] = co_await connection_->async_exec(
        request, answers, asio::bind_cancellation_slot(call.slot(), asio::as_tuple(asio::deferred)));
    --requests_sent_;
    if (cancelled.is_connected())
        cancelled.clear();
    const auto state = co_await asio::this_coro::cancellation_state;
    note_end_of_call(ec, state.cancelled() != asio::cancellation_type::none, deadline);
    leave_if_idle();
    co_return ec;
}

/// Whoever repeats the call at once must not be sent on the connection that has failed, nor behind the set-up of the
/// next one: that is not checked then.
void server_connection::note_end_of_call(error_code ec, bool cancelled, clock::time_point deadline)
{
    unanswered_ = unanswered_ || ec;
    if (ec == asio::error::operation_aborted && !cancelled && clock::now() < deadline)
        gate_.close();
}

void server_connection::carry_out(std::shared_ptr<request_call> call)
{
    if (!may_send() || !is_right_thread()) {
        connection::carry_out(std::move(call));
        return;
    }
    ++requests_under_way_;
    ++requests_sent_;
    used_ = true;
    auto& what = *call;
    const auto deadline = deadline_of(patience::command_timeout);
    what.limit_.emplace(*limits_, deadline);
    connection_->async_exec(what.request, what.answers.tree,
                            asio::bind_cancellation_slot(
                                what.limit_->slot(), [this, self = shared_from_this(), call = std::move(call),
                                                      deadline](error_code ec, std::size_t) mutable {
                                    answered(std::move(call), ec, deadline);
                                }));
}

void server_connection::answered(std::shared_ptr<request_call> call, error_code ec,
                                 clock::time_point deadline)
{
    call->limit_.reset();
    --requests_sent_;
    if (--requests_under_way_ == 0)
        state_changed_.notify();
    note_end_of_call(ec, call->is_cancelled_, deadline);
    leave_if_idle();
    if (!ec && is_to_be_repeated(call->answers, deadline)) {
        connection::carry_out(std::move(call));
        return;
    }
    call->ended(ec ? reason(ec, call->is_cancelled_, deadline) : nullptr);
}

void request_call::cancel()
{
    is_cancelled_ = true;
    if (limit_)
        limit_->cancel();
    else
        coroutine_.emit(asio::cancellation_type::terminal);
}

/// What was refused because the server accepts no writes was not carried out, so it can be sent again to a server that
/// is found to be fit.
bool server_connection::is_to_be_repeated(reply& answers, clock::time_point deadline)
{
    const auto refusal = answers.read_only_refusal();
    if (refusal.empty())
        return false;
    const bool has_successor = !sentinels_.empty() || !refusal.starts_with("NOREPLICAS");
    if (has_successor)
        leave_read_only_server(refusal);
    else
        rest_at_read_only_server(refusal);
    if (!answers.is_refused_as_read_only() || is_stopping() || clock::now() >= deadline)
        return false;
    answers.tree.clear();
    return true;
}

void server_connection::leave_read_only_server(std::string_view why)
{
    if (!std::exchange(barred_, true))
        warn_seldom("the server accepts no writes, so another connection is made: " + std::string{why});
    barred_because_ = why;
    gate_.close();
    leave();
}

/// Nothing but its replicas can change that, so the calls are repeated there, less and less often.
void server_connection::rest_at_read_only_server(std::string_view why)
{
    if (std::exchange(barred_, true))
        return;
    warn_seldom("the server accepts no writes, so calls wait and are repeated: " + std::string{why});
    barred_because_ = why;
    gate_.close();
    resting_ = true;
    check_due_ = true;
    state_changed_.notify();
}

void server_connection::leave()
{
    leaving_ = connected_;
    leave_if_idle();
}

void server_connection::leave_if_idle()
{
    if (leaving_ && requests_sent_ == 0 && connection_)
        connection_->cancel(redis::operation::run); // connect_loop goes on
}

/// Why a request that was sent has not been answered.
std::exception_ptr server_connection::reason(error_code ec, bool cancelled, clock::time_point deadline) const
{
    if (ec != asio::error::operation_aborted)
        return std::make_exception_ptr(system_error{ec, shown_place()});
    if (cancelled)
        return std::make_exception_ptr(system_error{asio::error::operation_aborted});
    if (failure_)
        return std::make_exception_ptr(*failure_);
    if (is_stopping())
        return std::make_exception_ptr(system_error{errc::stopped});
    if (clock::now() >= deadline)
        return std::make_exception_ptr(system_error{errc::timed_out, shown_place() + ": " + trouble()});
    return std::make_exception_ptr(system_error{errc::in_doubt, shown_place()});
}

} // namespace coworker::detail
