// SPDX-License-Identifier: MIT
#include "redis/until_one_ends.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

BOOST_AUTO_TEST_SUITE(until_one_ends)

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

asio::awaitable<void> go_on_for_ever(int& cancelled)
{
    asio::steady_timer timer{co_await asio::this_coro::executor, 1h};
    try {
        co_await timer.async_wait(asio::use_awaitable);
    } catch (const boost::system::system_error&) {
        ++cancelled;
        throw;
    }
}

asio::awaitable<void> wait_and_throw()
{
    asio::steady_timer timer{co_await asio::this_coro::executor, 1ms};
    co_await timer.async_wait(asio::use_awaitable);
    throw std::length_error{"unexpected"};
}

asio::awaitable<void> wait_and_return()
{
    asio::steady_timer timer{co_await asio::this_coro::executor, 1ms};
    co_await timer.async_wait(asio::use_awaitable);
}

std::string run(asio::awaitable<void> all)
{
    asio::io_context io;
    std::string told = "has not ended";
    asio::co_spawn(io, std::move(all), [&](std::exception_ptr error) {
        told = "returned";
        try {
            if (error)
                std::rethrow_exception(error);
        } catch (const std::exception& thrown) {
            told = thrown.what();
        }
    });
    io.run_for(10s);
    return told;
}

} // namespace

BOOST_AUTO_TEST_CASE(an_exception_ends_the_others_and_is_thrown)
{
    int cancelled = 0;
    BOOST_TEST(run(coworker::detail::until_one_ends(go_on_for_ever(cancelled), wait_and_throw(),
                                                    go_on_for_ever(cancelled))) == "unexpected");
    BOOST_TEST(cancelled == 2);
}

BOOST_AUTO_TEST_CASE(a_return_ends_the_others)
{
    int cancelled = 0;
    BOOST_TEST(run(coworker::detail::until_one_ends(wait_and_return(), go_on_for_ever(cancelled),
                                                    go_on_for_ever(cancelled))) == "returned");
    BOOST_TEST(cancelled == 2);
}

BOOST_AUTO_TEST_SUITE_END()
