// SPDX-License-Identifier: MIT

// A worker: a coroutine for each job. Ends after as many jobs as it is told, or when it is asked to.
#include "send.hpp"

#include <coworker/client.hpp>
#include <coworker/list_queue.hpp>
#include <coworker/worker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <csignal>
#include <iostream>
#include <string>

namespace asio = boost::asio;

asio::awaitable<void> work(const char* url, int count)
{
    const auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, url};
    coworker::list_queue<mail> mails{redis, "mail"};
    coworker::worker worker{redis};
    worker.handle(mails, [&](mail job) -> asio::awaitable<coworker::outcome> {
        asio::steady_timer pause{executor, std::chrono::milliseconds{1}}; // a mail server would be slower
        co_await pause.async_wait(asio::use_awaitable);
        if (--count == 0)
            worker.stop(); // running handlers may end
        co_return send(job, std::cout);
    });
    asio::signal_set signals{executor, SIGINT, SIGTERM};
    signals.async_wait([&](coworker::error_code ec, int) {
        if (!ec)
            worker.stop();
    });
    co_await worker.async_run();
}

int main(int, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, work(argv[1], std::stoi(argv[2])), asio::use_future);
    io.run();
    end.get(); // throws what went wrong
}
