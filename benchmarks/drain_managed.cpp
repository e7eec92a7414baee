// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "workload.hpp"

#include "redis/connection.hpp"

#include <boost/redis/request.hpp>

namespace bench {
namespace {

constexpr long job_count = 50'000;
constexpr std::size_t concurrency = 200; // the worker takes half of it at a time

asio::awaitable<double> with_a_worker(coworker::client& redis)
{
    coworker::managed_queue queue{redis, "bench"};
    co_await queue.async_push_many("Letter", make_letters(job_count));
    coworker::worker worker{redis, {.concurrency = concurrency}};
    long handled = 0;
    coworker::handlers_by_kind handlers;
    handlers.on<letter>("Letter", [&](letter) -> asio::awaitable<void> {
        if (++handled == job_count)
            worker.stop();
        co_return;
    });
    worker.handle(queue, std::move(handlers));
    const auto begin = clock::now();
    co_await worker.async_run();
    const double rate = static_cast<double>(job_count) / seconds_since(begin);

    coworker::managed_client jobs{redis};
    const auto complete = co_await jobs.async_completed(0, job_count);
    if (handled != job_count || complete.size() != static_cast<std::size_t>(job_count))
        throw std::runtime_error{"drain.managed: not every job was completed"};
    boost::redis::request empty;
    empty.push("FLUSHDB");
    coworker::detail::reply answers;
    co_await coworker::detail::connection_of(redis).exec(empty, answers);
    answers.throw_if_error();
    co_return rate;
}

} // namespace

figure drain_managed(const std::string& url)
{
    return {run(url, &with_a_worker)};
}

} // namespace bench
