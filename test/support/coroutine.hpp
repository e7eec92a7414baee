// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace coworker::test {

namespace asio = boost::asio;

/// Everything takes several times as long under a sanitizer.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif
#else
inline constexpr bool is_sanitized = false;
#endif

/// How long a test may wait for something that should happen soon.
inline constexpr std::chrono::seconds patience{is_sanitized ? 60 : 30};

/// Runs a test's coroutine. What it throws is thrown here. Fails when it has not ended after `limit`, and
/// when it has ended and something else is still at work on the context.
void run_coroutine(asio::io_context& io, asio::awaitable<void> test,
                   std::chrono::seconds limit = 2 * patience);

/// A coroutine that runs beside the test.
class background
{
public:
    background(const asio::any_io_executor& executor, asio::awaitable<void> task);

    /// The same for an operation.
    template<class Operation>
    background(const asio::any_io_executor& executor, Operation operation)
        : background{executor, wait_for(std::move(operation))}
    {}

    bool has_ended() const noexcept;

    /// Waits for the end and throws what the coroutine threw. Once only.
    asio::awaitable<void> join();

    /// The same, and returns what was thrown rather than throwing it; empty if nothing was.
    asio::awaitable<std::string> join_and_tell();

    void cancel(asio::cancellation_type type = asio::cancellation_type::terminal);

private:
    template<class Operation>
    static asio::awaitable<void> wait_for(Operation operation)
    {
        co_await std::move(operation);
    }

    struct state;
    std::shared_ptr<state> state_;
};

/// Waits for something that announces itself to nobody, such as a change in Redis, by looking again and
/// again. Throws when it does not come true in time; `what` says what was waited for.
asio::awaitable<void> eventually(std::string what, std::function<bool()> condition);

/// Waits for this long. For what has to go on for a while, never in the hope that something will have
/// happened.
asio::awaitable<void> let_pass(std::chrono::milliseconds time);

} // namespace coworker::test
