// SPDX-License-Identifier: MIT

// Many cores, one worker: handlers that compute run on a thread pool. Leases, acknowledgements and everything else of the
// worker stay on the thread of main, so a handler that keeps a thread busy for minutes keeps its job. What handlers do with
// their context is safe from there.
//
//   28_handler_threads [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace asio = boost::asio;

struct range
{
    unsigned begin, end;
};
BOOST_DESCRIBE_STRUCT(range, (), (begin, end))

bool is_prime(unsigned n)
{
    for (unsigned i = 2; i * i <= n; ++i)
        if (n % i == 0)
            return false;
    return n >= 2;
}

// Two handlers may run at the same time, so what they share is safe for threads.
struct tally
{
    std::atomic<unsigned> primes = 0, ranges_left = 0;
    std::mutex mutex;
    std::set<std::thread::id> threads;
};

// A plain function that computes for a while. It looks whether it is still to go on, and tells how far it is.
unsigned count_primes(range numbers, coworker::job_context& context)
{
    unsigned primes = 0;
    for (auto n = numbers.begin; n != numbers.end; ++n) {
        primes += is_prime(n);
        if (n % 1'000 == 0) {
            if (context.cancelled()) // its lease is lost, or the worker stops
                throw std::runtime_error{"cancelled"};
            context.set_progress(double(n - numbers.begin) / (numbers.end - numbers.begin));
        }
    }
    return primes;
}

asio::awaitable<void> run(std::string url, asio::any_io_executor pool, unsigned threads)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, url};
    coworker::list_queue<range> ranges{redis, "ranges"};
    std::vector<range> jobs;
    for (unsigned begin = 0; begin != 400'000; begin += 4'000)
        jobs.push_back({begin, begin + 4'000});
    co_await ranges.async_push_many(jobs);

    tally total;
    total.ranges_left = static_cast<unsigned>(jobs.size());
    coworker::worker worker{redis};
    coworker::handle_options options;
    options.executor = pool;
    options.concurrency = threads + 1; // one waits, so that no thread does
    const auto count = [&](range job, coworker::job_context& context) {
        total.primes += count_primes(job, context);
        {
            const std::lock_guard lock{total.mutex};
            total.threads.insert(std::this_thread::get_id());
        }
        if (--total.ranges_left == 0)
            worker.stop(); // may be called on any thread
    };
    worker.handle(ranges, count, options);
    co_await worker.async_run();
    std::cout << jobs.size() << " jobs found " << total.primes << " primes below 400000, on "
              << total.threads.size() << " threads beside main's\n";
}

int main(int argc, char** argv)
{
    const auto threads = std::max(2U, std::thread::hardware_concurrency());
    asio::io_context io;
    asio::thread_pool pool{threads}; // behind the context of the client: it is destroyed first
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost", pool.get_executor(), threads),
                              asio::use_future);
    io.run();
    end.get();
}
