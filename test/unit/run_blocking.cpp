// SPDX-License-Identifier: MIT
#include "coworker/run_blocking.hpp"

#include "support/coroutine.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

using namespace coworker;
using namespace coworker::test;

BOOST_AUTO_TEST_SUITE(run_blocking)

namespace {

struct on_a_pool
{
    asio::io_context io{1};
    asio::thread_pool pool{1};

    template<class Test>
    void run(Test test)
    {
        run_coroutine(io, test());
    }
};

/// Too long for a string's own buffer, so that a second destruction is noticed.
const std::string long_text(100, 'x');

} // namespace

BOOST_FIXTURE_TEST_CASE(runs_the_function_on_the_pool_and_comes_back, on_a_pool)
{
    run([&]() -> asio::awaitable<void> {
        const auto here = std::this_thread::get_id();
        const auto there =
            co_await async_run_blocking(pool.get_executor(), [] { return std::this_thread::get_id(); });
        BOOST_TEST((there != here));
        BOOST_TEST((std::this_thread::get_id() == here));
    });
}

BOOST_FIXTURE_TEST_CASE(throws_what_the_function_throws, on_a_pool)
{
    run([&]() -> asio::awaitable<void> {
        bool thrown = false;
        try {
            co_await async_run_blocking(pool.get_executor(), [] { throw std::runtime_error{"no"}; });
        } catch (const std::runtime_error& error) {
            thrown = error.what() == std::string{"no"};
        }
        BOOST_TEST(thrown);
    });
}

BOOST_FIXTURE_TEST_CASE(moves_the_result_out, on_a_pool)
{
    run([&]() -> asio::awaitable<void> {
        auto number = std::make_unique<int>(3);
        const auto twice = [&] {
            *number *= 2;
            return std::move(number);
        };
        const auto result = co_await async_run_blocking(pool.get_executor(), twice);
        BOOST_TEST(*result == 6);
    });
}

BOOST_FIXTURE_TEST_CASE(takes_any_completion_token, on_a_pool)
{
    const auto size = [text = long_text] { return text.size(); };
    auto future = async_run_blocking(pool.get_executor(), size, asio::use_future);
    BOOST_TEST(future.get() == 100u);

    const auto fail = [] { throw std::runtime_error{"no"}; };
    BOOST_CHECK_THROW(async_run_blocking(pool.get_executor(), fail, asio::use_future).get(),
                      std::runtime_error);

    // A handler with an executor of its own is called there.
    std::thread::id called;
    async_run_blocking(pool.get_executor(), size,
                       asio::bind_executor(io, [&](std::exception_ptr error, std::size_t result) {
                           BOOST_TEST(!error);
                           BOOST_TEST(result == 100u);
                           called = std::this_thread::get_id();
                       }));
    io.run(); // not before the result has been delivered
    BOOST_TEST((called == std::this_thread::get_id()));

    run([&]() -> asio::awaitable<void> {
        const auto [error, result] = co_await async_run_blocking(pool.get_executor(), size, asio::as_tuple);
        BOOST_TEST(!error);
        BOOST_TEST(result == 100u);
    });
}

BOOST_FIXTURE_TEST_CASE(takes_a_named_function_with_captures, on_a_pool)
{
    run([&]() -> asio::awaitable<void> {
        auto size = [text = long_text] { return text.size(); };
        BOOST_TEST(co_await async_run_blocking(pool.get_executor(), size) == 100u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
