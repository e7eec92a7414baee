// SPDX-License-Identifier: MIT
#include "benchmark.hpp"
#include "stage.hpp"
#include "workload.hpp"

#include <boost/asio/thread_pool.hpp>

#include <atomic>
#include <chrono>

/// What handlers come to on an executor of their own.
namespace bench {
namespace {

using namespace std::chrono_literals;

constexpr long long_runs = 3'000, short_runs = 100'000;

/// About half a millisecond of work that needs no memory.
unsigned compute(unsigned rounds)
{
    unsigned state = 1;
    for (unsigned i = 0; i != rounds; ++i)
        state = state * 1664525U + 1013904223U;
    return state;
}

/// Jobs per second of one worker whose handlers compute: on its own executor, or on so many threads beside it.
double rate(stage& on, long count, unsigned rounds, std::size_t threads)
{
    on.empty();
    return run<double>(on.tcp_url(), [&](coworker::client& redis) -> asio::awaitable<double> {
        asio::thread_pool pool{std::max<std::size_t>(threads, 1)}; // is to end before the client's context
        coworker::list_queue<long> queue{redis, "bench"};
        const std::vector<long> jobs(static_cast<std::size_t>(count), 1);
        co_await queue.async_push_many(jobs);
        std::atomic<long> left = count;
        std::atomic<unsigned> sum = 0;
        coworker::worker worker{redis};
        coworker::handle_options how;
        if (threads != 0)
            how.executor = pool.get_executor();
        const auto handler = [&](long) {
            sum += compute(rounds);
            if (--left == 0)
                worker.stop();
        };
        worker.handle(queue, handler, how);
        const auto begin = clock::now();
        co_await worker.async_run();
        co_return static_cast<double>(count) / seconds_since(begin);
    });
}

void measure(stage& on, const std::string& name, long count, unsigned rounds, figures& found)
{
    const auto here = rate(on, count, rounds, 0);
    const auto one = rate(on, count, rounds, 1);
    found.push_back({"threads." + name + ".here", "jobs/s", here});
    found.push_back({"threads." + name + ".one", "jobs/s", one, here});
    found.push_back({"threads." + name + ".two", "jobs/s", rate(on, count, rounds, 2), one});
}

} // namespace

figures handler_threads(stage& on)
{
    figures found;
    measure(on, "long", on.some(long_runs), 500'000, found);
    measure(on, "short", on.some(short_runs), 0, found);
    return found;
}

} // namespace bench
