// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster.hpp"
#include "redis/connection/connection.hpp"
#include "redis/counted_call.hpp"

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

connection::clock::time_point connection::deadline_of(patience how_long) const
{
    const auto limit = options_.command_timeout;
    return how_long == patience::unlimited || limit.count() == 0 ? clock::time_point::max()
                                                                 : clock::now() + limit;
}

asio::awaitable<void> connection::exec(const redis::request& request, reply& answers, patience how_long,
                                       clock::time_point latest)
{
    return confirmed_ ? exec_and_judge(request, answers) : exec_plain(request, answers, how_long, latest);
}

asio::awaitable<void> connection::exec_plain(const redis::request& request, reply& answers, patience how_long,
                                             clock::time_point latest)
{
    const auto self = shared_from_this(); // the client may be destroyed meanwhile
    check_thread();
    if (!fit_ || stopping_) {
        if (cluster_) {
            co_await cluster_->exec(request, answers, how_long, slot_);
            co_return;
        }
        co_await ready(how_long, latest);
    }
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

asio::awaitable<error_code> connection::send(const redis::request& request, const redis::any_adapter& answers,
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
void connection::note_end_of_call(error_code ec, bool cancelled, clock::time_point deadline)
{
    unanswered_ = unanswered_ || ec;
    if (ec == asio::error::operation_aborted && !cancelled && clock::now() < deadline)
        gate_.close();
}

void connection::exec(std::shared_ptr<request_call> call)
{
    if (!may_send() || confirmed_ || !is_right_thread()) {
        exec_by_coroutine(std::move(call));
        return;
    }
    ++requests_under_way_;
    ++requests_sent_;
    used_ = true;
    auto& what = *call;
    const auto deadline = deadline_of(patience::command_timeout);
    what.limit_.emplace(*limits_, deadline);
    connection_->async_exec(
        what.request, what.answers.tree,
        asio::bind_cancellation_slot(what.limit_->slot(), [self = shared_from_this(), call = std::move(call),
                                                           deadline](error_code ec, std::size_t) mutable {
            self->answered(std::move(call), ec, deadline);
        }));
}

void connection::answered(std::shared_ptr<request_call> call, error_code ec, clock::time_point deadline)
{
    call->limit_.reset();
    --requests_sent_;
    if (--requests_under_way_ == 0)
        state_changed_.notify();
    note_end_of_call(ec, call->is_cancelled_, deadline);
    leave_if_idle();
    if (!ec && is_to_be_repeated(call->answers, deadline)) {
        exec_by_coroutine(std::move(call));
        return;
    }
    call->ended(ec ? reason(ec, call->is_cancelled_, deadline) : nullptr);
}

void connection::exec_by_coroutine(std::shared_ptr<request_call> call)
{
    auto& what = *call;
    asio::co_spawn(executor_,
                   confirmed_ ? exec_confirmed(what.request, what.answers, what.unconfirmed)
                              : exec_plain(what.request, what.answers, patience::command_timeout),
                   asio::bind_cancellation_slot(
                       what.coroutine_.slot(),
                       [call = std::move(call)](std::exception_ptr why) { call->ended(std::move(why)); }));
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
bool connection::is_to_be_repeated(reply& answers, clock::time_point deadline)
{
    const auto refusal = answers.read_only_refusal();
    if (refusal.empty())
        return false;
    const bool has_successor = !sentinels_.empty() || !refusal.starts_with("NOREPLICAS");
    if (has_successor)
        leave_read_only_server(refusal);
    else
        rest_at_read_only_server(refusal);
    if (!answers.is_refused_as_read_only() || stopping_ || clock::now() >= deadline)
        return false;
    answers.tree.clear();
    return true;
}

void connection::leave_read_only_server(std::string_view why)
{
    if (!std::exchange(barred_, true))
        warn_seldom("the server accepts no writes, so another connection is made: " + std::string{why});
    barred_because_ = why;
    gate_.close();
    leave();
}

/// Nothing but its replicas can change that, so the calls are repeated there, less and less often.
void connection::rest_at_read_only_server(std::string_view why)
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

void connection::leave()
{
    leaving_ = connected_;
    leave_if_idle();
}

void connection::leave_if_idle()
{
    if (leaving_ && requests_sent_ == 0 && connection_)
        connection_->cancel(redis::operation::run); // connect_loop goes on
}

/// Why a request that was sent has not been answered.
std::exception_ptr connection::reason(error_code ec, bool cancelled, clock::time_point deadline) const
{
    if (ec != asio::error::operation_aborted)
        return std::make_exception_ptr(system_error{ec, address_.display()});
    if (cancelled)
        return std::make_exception_ptr(system_error{asio::error::operation_aborted});
    if (failure_)
        return std::make_exception_ptr(*failure_);
    if (stopping_)
        return std::make_exception_ptr(system_error{errc::stopped});
    if (clock::now() >= deadline)
        return std::make_exception_ptr(system_error{errc::timed_out, address_.display() + ": " + trouble()});
    return std::make_exception_ptr(system_error{errc::in_doubt, address_.display()});
}

} // namespace coworker::detail
