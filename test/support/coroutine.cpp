// SPDX-License-Identifier: MIT
#include "support/coroutine.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <optional>
#include <stdexcept>

namespace coworker::test {

using clock = std::chrono::steady_clock;

void run_coroutine(asio::io_context& io, asio::awaitable<void> test, std::chrono::seconds limit)
{
    std::optional<std::exception_ptr> end;
    asio::co_spawn(io, std::move(test), [&](std::exception_ptr error) { end = error; });
    const auto give_up = clock::now() + limit;
    io.restart();
    while (!end && clock::now() < give_up && io.run_one_until(give_up) != 0)
        ;
    if (!end)
        throw std::runtime_error{clock::now() < give_up ? "the test waits for something that cannot happen"
                                                        : "the test has not ended in time"};
    if (*end)
        std::rethrow_exception(*end);
    io.run_for(patience);
    if (!io.stopped())
        throw std::runtime_error{"the test has ended, but something is still at work"};
}

struct background::state
{
    explicit state(const asio::any_io_executor& executor) : ended{executor, clock::time_point::max()} {}

    std::optional<std::exception_ptr> end;
    asio::steady_timer ended;
    asio::cancellation_signal signal;
};

background::background(const asio::any_io_executor& executor, asio::awaitable<void> task)
    : state_{std::make_shared<state>(executor)}
{
    asio::co_spawn(
        executor, std::move(task),
        asio::bind_cancellation_slot(state_->signal.slot(), [state = state_](std::exception_ptr error) {
            state->end = error;
            state->ended.cancel();
        }));
}

bool background::has_ended() const noexcept
{
    return state_->end.has_value();
}

asio::awaitable<void> background::join()
{
    const auto shared = state_;
    if (!shared->end) {
        boost::system::error_code ignored;
        co_await shared->ended.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    if (shared->end && *shared->end)
        std::rethrow_exception(*shared->end);
}

asio::awaitable<std::string> background::join_and_tell()
{
    std::string told;
    try {
        co_await join();
    } catch (const std::exception& error) {
        told = error.what();
        if (told.empty())
            told = "an exception without words";
    }
    co_return told;
}

void background::cancel(asio::cancellation_type type)
{
    state_->signal.emit(type);
}

asio::awaitable<void> eventually(std::string what, std::function<bool()> condition)
{
    const auto give_up = clock::now() + patience;
    while (!condition()) {
        if (clock::now() > give_up)
            throw std::runtime_error{"waited in vain until " + what};
        co_await let_pass(std::chrono::milliseconds{1});
    }
}

asio::awaitable<void> let_pass(std::chrono::milliseconds time)
{
    asio::steady_timer timer{co_await asio::this_coro::executor, time};
    co_await timer.async_wait(asio::use_awaitable);
}

} // namespace coworker::test
