// SPDX-License-Identifier: MIT

// Limits: how many jobs run at the same time and how many a second, for all together and for each tenant; jobs of a key
// one after the other; and turns, so that a tenant with many jobs delays nobody.
//
//   13_limits [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <algorithm>
#include <iostream>
#include <map>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct render
{
    std::string tenant, file;
};
BOOST_DESCRIBE_STRUCT(render, (), (tenant, file))

// How many jobs run now, and how many did at most.
struct gauge
{
    int running = 0, most = 0;

    void begin() { most = std::max(most, ++running); }
    void end() { --running; }
};

std::map<std::string, gauge> gauges;
std::vector<std::string> order;
int left = 0;

asio::awaitable<void> run_job(render job, coworker::worker& worker)
{
    order.push_back(job.file);
    gauges["all"].begin();
    gauges[job.tenant].begin();
    asio::steady_timer work{co_await asio::this_coro::executor, 10ms};
    co_await work.async_wait();
    gauges["all"].end();
    gauges[job.tenant].end();
    if (--left == 0)
        worker.stop();
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue renders{redis, "renders"};
    coworker::managed_client jobs{redis};

    // Limits are kept in Redis and hold for all workers. They may be changed at any time.
    co_await jobs.async_set_limit("gpu", {.max_running = 8}); // units; a job takes one unless it says more
    co_await jobs.async_set_limit("tenant:*", {.max_running = 2}); // each tenant has a limit of its own
    co_await jobs.async_set_limit("mails", {.rate = 100, .period = 1s, .burst = 10});

    // One tenant has many jobs, and takes turns with the other: its group.
    for (int i = 1; i <= 20; ++i) {
        const render job{"acme", "acme " + std::to_string(i)};
        co_await renders.async_push("Render", job, {.limits = {"tenant:acme", "gpu"}, .group = "acme"});
    }
    const render large{"zoo", "zoo large"};
    co_await renders.async_push(
        "Render", large, {.limits = {"tenant:zoo", coworker::limit_use{"gpu", 4}, "mails"}, .group = "zoo"});

    // Of an order key one job runs at a time, in the order they were pushed.
    for (int i = 1; i <= 3; ++i) {
        const render job{"page", "page " + std::to_string(i)};
        co_await renders.async_push("Render", job, {.order_key = "book 7"});
    }
    left = 24;

    coworker::worker worker{redis, {.concurrency = 10}};
    coworker::handlers_by_kind handlers;
    handlers.on<render>("Render", [&](render job) { return run_job(std::move(job), worker); });
    worker.handle(renders, std::move(handlers));
    co_await worker.async_run();

    std::cout << "acme: at most " << gauges["acme"].most << " at the same time\n"
              << "page: at most " << gauges["page"].most << " at the same time\n";
    const auto place = std::find(order.begin(), order.end(), "zoo large") - order.begin();
    std::cout << (place < 10 ? "zoo did not wait for acme\n" : "zoo waited for acme\n");
    const auto gpu = co_await jobs.async_limit("gpu");
    std::cout << "gpu: " << gpu.used << " of " << *gpu.settings.max_running << " in use\n";
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
