// SPDX-License-Identifier: MIT
#include "outbox/relay_state.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/this_coro.hpp>

#include <utility>

/// How a relay begins and ends.
namespace coworker {
namespace detail {

asio::awaitable<void> relay_state::run()
{
    if (std::exchange(has_run_, true))
        throw system_error{errc::already_running};
    const auto self = shared_from_this();
    asio::cancellation_signal end;
    bool has_ended = false;
    std::exception_ptr failure;
    asio::co_spawn(executor_, relay(),
                   asio::bind_cancellation_slot(end.slot(), [&, self](std::exception_ptr error) {
                       failure = error;
                       has_ended = true;
                       changed_.notify();
                   }));
    co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
    bool is_cancelled = false;
    while (!stopping_ && !has_ended && !is_cancelled) {
        try {
            co_await changed_.wait();
        } catch (const system_error&) {
            is_cancelled = true;
        }
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    const bool has_failed = has_ended;
    end.emit(asio::cancellation_type::terminal);
    while (!has_ended)
        co_await changed_.wait();
    database_->close();
    counts_.is_database_up = false;
    has_left_ = true;
    if (has_failed)
        std::rethrow_exception(failure);
    if (is_cancelled)
        throw system_error{asio::error::operation_aborted};
}

void relay_state::stop()
{
    stopping_ = true;
    changed_.notify();
}

} // namespace detail

outbox_relay::outbox_relay(const client& redis, std::unique_ptr<outbox_store> database,
                           outbox_options options)
    : state_{std::make_shared<detail::relay_state>(redis, std::move(database), std::move(options))}
{}

outbox_relay::~outbox_relay()
{
    if (!state_ || !state_->may_run())
        return;
    const auto executor = get_executor();
    asio::dispatch(executor, [state = std::move(state_)] { state->stop(); });
}

outbox_relay::outbox_relay(outbox_relay&&) noexcept = default;

outbox_relay& outbox_relay::operator=(outbox_relay&& other) noexcept
{
    outbox_relay old{std::move(*this)};
    state_ = std::move(other.state_);
    return *this;
}

asio::awaitable<void> outbox_relay::run()
{
    state_->expect_run();
    // The coroutine keeps the state, in case the relay is destroyed meanwhile.
    return [](std::shared_ptr<detail::relay_state> state) -> asio::awaitable<void> {
        co_await state->run();
    }(state_);
}

void outbox_relay::stop()
{
    asio::dispatch(get_executor(), [state = state_] { state->stop(); });
}

outbox_counts outbox_relay::counts() const
{
    return state_->counts();
}

asio::any_io_executor outbox_relay::get_executor() const
{
    return state_->get_executor();
}

} // namespace coworker
