// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "workload.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace bench {
namespace {

constexpr long one_count = 20'000;
constexpr int concurrent_pushers = 200;
constexpr long pushes_each = 1'000;
constexpr long bulk_count = 1'000'000;

asio::awaitable<double> one_by_one(coworker::client& redis)
{
    coworker::list_queue<letter> queue{redis, "bench"};
    const auto begin = clock::now();
    for (long i = 0; i != one_count; ++i) {
        const auto job = make_letter(i);
        co_await queue.async_push(job);
    }
    const double rate = static_cast<double>(one_count) / seconds_since(begin);
    co_await queue.async_destroy();
    co_return rate;
}

asio::awaitable<void> push_several(coworker::client& redis, int& left, asio::steady_timer& all_done)
{
    coworker::list_queue<letter> queue{redis, "bench"};
    for (long i = 0; i != pushes_each; ++i) {
        const auto job = make_letter(i);
        co_await queue.async_push(job);
    }
    if (--left == 0)
        all_done.cancel();
}

asio::awaitable<double> concurrently(coworker::client& redis)
{
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer all_done{executor, clock::time_point::max()};
    int left = concurrent_pushers;
    const auto begin = clock::now();
    for (int i = 0; i != concurrent_pushers; ++i)
        asio::co_spawn(executor, push_several(redis, left, all_done), [](std::exception_ptr error) {
            if (error)
                std::rethrow_exception(error);
        });
    boost::system::error_code ignored;
    co_await all_done.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    const double rate = concurrent_pushers * static_cast<double>(pushes_each) / seconds_since(begin);
    co_await coworker::list_queue<letter>{redis, "bench"}.async_destroy();
    co_return rate;
}

asio::awaitable<double> in_bulk(coworker::client& redis)
{
    coworker::list_queue<letter> queue{redis, "bench"};
    const auto letters = make_letters(bulk_count);
    const auto begin = clock::now();
    co_await queue.async_push_many(letters);
    const double rate = static_cast<double>(bulk_count) / seconds_since(begin);
    co_await queue.async_destroy();
    co_return rate;
}

} // namespace

figure push_one(const std::string& url)
{
    return {run(url, &one_by_one)};
}

figure push_concurrent(const std::string& url)
{
    return {run(url, &concurrently)};
}

figure push_bulk(const std::string& url)
{
    return {run(url, &in_bulk)};
}

} // namespace bench
