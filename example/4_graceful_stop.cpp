// SPDX-License-Identifier: MIT

// A worker that ends well: on SIGTERM or Ctrl-C it takes no more jobs, lets the running ones come to their
// end for a while, and gives back what does not.
//
//   4_graceful_stop [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <csignal>
#include <iostream>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct nap
{
    std::string name;
    unsigned seconds;
};
BOOST_DESCRIBE_STRUCT(nap, (), (name, seconds))

asio::awaitable<void> take(nap job)
{
    std::cout << "started: " << job.name << std::endl;
    asio::steady_timer timer{co_await asio::this_coro::executor, std::chrono::seconds{job.seconds}};
    // Throws when the worker cancels the handler; the job then goes back to the front of its queue.
    co_await timer.async_wait(asio::use_awaitable);
    std::cout << "done: " << job.name << std::endl;
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::list_queue<nap> naps{redis, "naps"};
    const std::vector<nap> jobs{
        {"winter sleep", 3'600}, {"a nap", 1}, {"another nap", 1}, {"one too many", 1}};
    co_await naps.async_push_many(jobs);

    coworker::worker worker{redis, {.concurrency = 3, .shutdown_timeout = 2s}};
    worker.handle(naps, take);

    asio::signal_set signals{executor, SIGINT, SIGTERM};
    signals.async_wait([&](const boost::system::error_code& ec, int) {
        if (ec)
            return;
        std::cout << "stopping" << std::endl;
        worker.stop();
    });
    co_await worker.async_run();

    const coworker::inspector inspector{redis};
    const auto queue = coworker::queue_ref::list(naps.name());
    const auto left = co_await inspector.async_jobs(queue, coworker::job_state::waiting);
    for (const auto& job : left.jobs)
        std::cout << "left for the next worker: " << job.data << std::endl;
    co_await naps.async_destroy(); // a real program would not
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
