// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/coworker.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/describe/class.hpp>

#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <vector>

/// What the benchmarks have in common: a job of about 100 bytes of JSON, and a clock.
namespace bench {

namespace asio = boost::asio;
using clock = std::chrono::steady_clock;

struct letter
{
    std::string to;
    std::string subject;
    long number = 0;
    bool urgent = false;
};
BOOST_DESCRIBE_STRUCT(letter, (), (to, subject, number, urgent))

/// @param size  how many bytes it should have, if more than 100
inline letter make_letter(long number, std::size_t size = 0)
{
    letter made{"ada.lovelace@example.com", "Your report of last week is ready", number, number % 2 == 0};
    if (size > 100)
        made.subject.resize(made.subject.size() + size - 100, 'x');
    return made;
}

inline std::vector<letter> make_letters(long count, std::size_t size = 0)
{
    std::vector<letter> letters;
    letters.reserve(static_cast<std::size_t>(count));
    for (long i = 0; i != count; ++i)
        letters.push_back(make_letter(i, size));
    return letters;
}

inline double seconds_since(clock::time_point begin)
{
    return std::chrono::duration<double>(clock::now() - begin).count();
}

inline asio::awaitable<void> pause_until(clock::time_point when)
{
    asio::steady_timer timer{co_await asio::this_coro::executor, when};
    co_await timer.async_wait(asio::use_awaitable);
}

/// Runs coroutines beside each other until all have ended.
inline asio::awaitable<void> run_all(std::vector<asio::awaitable<void>> several)
{
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer all_done{executor, clock::time_point::max()};
    std::size_t left = several.size();
    std::exception_ptr first_error;
    for (auto& one : several)
        asio::co_spawn(executor, std::move(one), [&](std::exception_ptr error) {
            if (error && !first_error)
                first_error = error;
            if (--left == 0)
                all_done.cancel();
        });
    boost::system::error_code ignored;
    if (left != 0)
        co_await all_done.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (first_error)
        std::rethrow_exception(first_error);
}

/// Runs one coroutine with a client of its own to its end, and returns what it returns.
template<class Result>
Result run(const std::string& url, const std::function<asio::awaitable<Result>(coworker::client&)>& work)
{
    asio::io_context io{1};
    Result result{};
    std::exception_ptr error;
    asio::co_spawn(
        io,
        [](const std::string& where,
           const std::function<asio::awaitable<Result>(coworker::client&)>& what) -> asio::awaitable<Result> {
            // In two steps: g++ 12 destroys the temporary options twice when a co_await stands beside them.
            const auto executor = co_await asio::this_coro::executor;
            coworker::client_options options;
            options.url = where;
            // Under valgrind, on a machine that does something else, everything takes long.
            options.connect_timeout = options.command_timeout = std::chrono::minutes{1};
            coworker::client redis{executor, options};
            co_await redis.async_connect();
            Result value = co_await what(redis);
            co_await redis.async_stop();
            co_return value;
        }(url, work),
        [&](std::exception_ptr failed, Result value) {
            error = failed;
            result = value;
        });
    io.run();
    if (error)
        std::rethrow_exception(error);
    return result;
}

} // namespace bench
