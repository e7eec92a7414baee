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

inline letter make_letter(long number)
{
    return {"ada.lovelace@example.com", "Your report of last week is ready", number, number % 2 == 0};
}

inline std::vector<letter> make_letters(long count)
{
    std::vector<letter> letters;
    letters.reserve(static_cast<std::size_t>(count));
    for (long i = 0; i != count; ++i)
        letters.push_back(make_letter(i));
    return letters;
}

inline double seconds_since(clock::time_point begin)
{
    return std::chrono::duration<double>(clock::now() - begin).count();
}

/// Runs one coroutine with a client of its own to its end, and returns what it returns.
template<class Result>
Result run(const std::string& url, asio::awaitable<Result> (*work)(coworker::client&))
{
    asio::io_context io{1};
    Result result{};
    std::exception_ptr error;
    asio::co_spawn(
        io,
        [](std::string where, asio::awaitable<Result> (*what)(coworker::client&)) -> asio::awaitable<Result> {
            // In two steps: g++ 12 destroys the temporary options twice when a co_await stands beside them.
            const auto executor = co_await asio::this_coro::executor;
            coworker::client redis{executor, {.url = where}};
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
