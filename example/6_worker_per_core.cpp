// SPDX-License-Identifier: MIT

// Uses every core: a thread per core, each with an io_context, a client and a worker of its own. Nothing is
// shared between them but the queue in Redis, so nothing has to be locked.
//
//   6_worker_per_core [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <algorithm>
#include <atomic>
#include <future>
#include <iostream>
#include <list>
#include <thread>
#include <vector>

namespace asio = boost::asio;

struct range
{
    unsigned begin, end;
};
BOOST_DESCRIBE_STRUCT(range, (), (begin, end))

unsigned count_primes(range numbers)
{
    const auto is_prime = [](unsigned n) {
        for (unsigned i = 2; i * i <= n; ++i)
            if (n % i == 0)
                return false;
        return n >= 2;
    };
    unsigned primes = 0;
    for (auto n = numbers.begin; n != numbers.end; ++n)
        primes += is_prime(n);
    return primes;
}

// What the threads have in common.
struct tally
{
    std::atomic<unsigned> primes = 0;
    std::atomic<unsigned> ranges_left = 0;
    std::promise<void> complete;
};

// A thread and everything that lives in it.
class core
{
public:
    core(const std::string& url, tally& total)
        : redis_{io_.get_executor(), {.url = url}}, ranges_{redis_, "ranges"}, worker_{redis_,
                                                                                       {.concurrency = 4}}
    {
        // A plain function that computes blocks this thread, and no other. For long computations see
        // async_run_blocking.
        worker_.handle(ranges_, [this, &total](range job) {
            total.primes += count_primes(job);
            ++jobs_;
            if (--total.ranges_left == 0)
                total.complete.set_value();
        });
        end_ = asio::co_spawn(io_, work(), asio::use_future);
        thread_ = std::thread{[this] { io_.run(); }};
    }

    // Everything of a worker happens on its own thread, stopping too.
    void stop()
    {
        asio::post(io_, [this] { worker_.stop(); });
    }

    unsigned wait()
    {
        thread_.join();
        end_.get();
        return jobs_;
    }

private:
    asio::awaitable<void> work()
    {
        co_await worker_.async_run();
        co_await redis_.async_stop(); // else the connection would keep the io_context at work
    }

    asio::io_context io_{1};
    coworker::client redis_;
    coworker::list_queue<range> ranges_;
    coworker::worker worker_;
    unsigned jobs_ = 0;
    std::future<void> end_;
    std::thread thread_;
};

asio::awaitable<void> push(std::string url, std::vector<range> jobs)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::list_queue<range> ranges{redis, "ranges"};
    co_await ranges.async_push_many(jobs);
}

int main(int argc, char** argv)
{
    const std::string url = argc > 1 ? argv[1] : "redis://localhost";
    std::vector<range> jobs;
    for (unsigned begin = 0; begin != 200'000; begin += 1'000)
        jobs.push_back({begin, begin + 1'000});
    asio::io_context io;
    auto pushed = asio::co_spawn(io, push(url, jobs), asio::use_future);
    io.run();
    pushed.get();

    tally total;
    total.ranges_left = static_cast<unsigned>(jobs.size());
    std::list<core> cores;
    for (unsigned i = 0; i != std::max(1U, std::thread::hardware_concurrency()); ++i)
        cores.emplace_back(url, total);
    total.complete.get_future().wait();

    for (auto& core : cores)
        core.stop();
    unsigned run = 0;
    for (auto& core : cores) {
        const auto own = core.wait();
        std::cout << "a core ran " << own << " jobs\n";
        run += own;
    }
    std::cout << run << " jobs found " << total.primes << " primes below 200000\n";
}
