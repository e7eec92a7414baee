// SPDX-License-Identifier: MIT
#include "coworker/run_blocking.hpp"

#include "support/coroutine.hpp"

#include <boost/asio/thread_pool.hpp>
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

std::size_t size_of(std::string text)
{
    return text.size();
}

} // namespace

BOOST_FIXTURE_TEST_CASE(runs_the_function_on_the_pool_and_comes_back, on_a_pool)
{
    run([&]() -> asio::awaitable<void> {
        const auto here = std::this_thread::get_id();
        const auto there =
            co_await coworker::run_blocking(pool.get_executor(), [] { return std::this_thread::get_id(); });
        BOOST_TEST((there != here));
        BOOST_TEST((std::this_thread::get_id() == here));
    });
}

BOOST_FIXTURE_TEST_CASE(throws_what_the_function_throws, on_a_pool)
{
    run([&]() -> asio::awaitable<void> {
        bool thrown = false;
        try {
            co_await coworker::run_blocking(pool.get_executor(), [] { throw std::runtime_error{"no"}; });
        } catch (const std::runtime_error& error) {
            thrown = error.what() == std::string{"no"};
        }
        BOOST_TEST(thrown);
    });
}

BOOST_FIXTURE_TEST_CASE(hands_arguments_over, on_a_pool)
{
    run([&]() -> asio::awaitable<void> {
        BOOST_TEST(co_await coworker::run_blocking(pool.get_executor(), size_of, std::string{long_text}) ==
                   100u);
        auto number = std::make_unique<int>(3);
        const auto twice = [](std::unique_ptr<int> n, int factor) { return *n * factor; };
        BOOST_TEST(co_await coworker::run_blocking(pool.get_executor(), twice, std::move(number), 2) == 6);
        int changed = 0;
        co_await coworker::run_blocking(
            pool.get_executor(), [](int& n) { n = 1; }, std::ref(changed));
        BOOST_TEST(changed == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(takes_a_named_function_with_captures, on_a_pool)
{
    run([&]() -> asio::awaitable<void> {
        auto size = [text = long_text] { return text.size(); };
        BOOST_TEST(co_await coworker::run_blocking(pool.get_executor(), size) == 100u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
