// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "list/list_source.hpp"
#include "workload.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/redis/request.hpp>

namespace bench {
namespace {

constexpr long job_count = 1'000'000;
constexpr std::size_t concurrency = 200; // the worker takes half of it at a time

asio::awaitable<double> with_a_worker(coworker::client& redis)
{
    coworker::list_queue<letter> queue{redis, "bench"};
    co_await queue.async_push_many(make_letters(job_count));
    coworker::worker worker{redis, {.concurrency = concurrency}};
    long handled = 0;
    worker.handle(queue, [&](letter, coworker::job_context&) -> asio::awaitable<coworker::outcome> {
        if (++handled == job_count)
            worker.stop();
        co_return coworker::success();
    });
    const auto begin = clock::now();
    co_await worker.async_run();
    const double rate = static_cast<double>(job_count) / seconds_since(begin);
    const auto left = co_await queue.async_sizes();
    if (handled != job_count || left.waiting + left.in_progress != 0 || left.total_succeeded != job_count)
        throw std::runtime_error{"drain: not every job was acknowledged"};
    co_await queue.async_destroy();
    co_return rate;
}

/// One of two loops that send exchange.lua as the worker does, settling with the payloads just taken, and
/// look at nothing else.
asio::awaitable<void> bare_loop(coworker::detail::connection& redis, const coworker::detail::list_keys& keys,
                                long& left, int& running, asio::steady_timer& all_done)
{
    using namespace coworker::detail;
    const auto& exchange = find_script("list/exchange");
    reply last;
    while (left > 0) {
        script_arguments arguments{keys.jobs,   keys.progress, keys.scheduled, keys.attempts, keys.twins,
                                   keys.paused, keys.workers,  keys.counters,  keys.failed,   keys.failures,
                                   keys.broken, keys.reasons,  keys.found,     keys.shared,   keys.ready};
        arguments.add_number(concurrency / 2);
        arguments.add("1");
        arguments.add(redis.name());
        for (const auto number :
             {"1000", "1000", "25165824", "16", "120000"}) // limits of lists and bytes; lease
            arguments.add(number);
        if (last.tree.empty() || reply::part(last.back(), 4).size() == 0) {
            arguments.add("0");
        } else {
            const auto taken = reply::part(last.back(), 4);
            arguments.add("1");
            arguments.add(last.back()[0]);
            arguments.add_number(static_cast<std::int64_t>(taken.size()));
            for (std::size_t i = 0; i != taken.size(); ++i)
                arguments.add(taken[i]);
        }
        reply next = co_await redis.call(exchange, arguments, patience::unlimited);
        left -= static_cast<long>(reply::part(next.back(), 4).size());
        last = std::move(next);
    }
    if (--running == 0)
        all_done.cancel();
}

asio::awaitable<double> with_bare_loops(coworker::client& redis)
{
    const auto executor = co_await asio::this_coro::executor;
    coworker::list_queue<letter> queue{redis, "bench"};
    co_await queue.async_push_many(make_letters(job_count));
    const coworker::detail::list_keys keys{"bench"};
    asio::steady_timer all_done{executor, clock::time_point::max()};
    long left = job_count;
    int running = 2;
    const auto begin = clock::now();
    for (int i = 0; i != 2; ++i)
        asio::co_spawn(executor,
                       bare_loop(coworker::detail::connection_of(redis), keys, left, running, all_done),
                       [](std::exception_ptr error) {
                           if (error)
                               std::rethrow_exception(error);
                       });
    boost::system::error_code ignored;
    co_await all_done.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    const double rate = static_cast<double>(job_count) / seconds_since(begin);
    co_await queue.async_destroy();
    co_return rate;
}

} // namespace

figure drain_list(const std::string& url)
{
    const double limit = run(url, &with_bare_loops);
    return {run(url, &with_a_worker), limit};
}

figure limit_loop(const std::string& url)
{
    return {run(url, &with_bare_loops)};
}

} // namespace bench
