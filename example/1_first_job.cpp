// SPDX-License-Identifier: MIT
// Queues a job and runs it. The argument is the URL of a Redis server.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <coworker/coworker.hpp>
#include <iostream>

boost::asio::awaitable<void> greet(coworker::client& redis)
{
    coworker::list_queue<std::string> names{redis, "names"};
    co_await names.async_push("Ada"); // Redis has the job once this returns
    coworker::worker worker{redis};
    worker.handle(names, [&](std::string name) -> boost::asio::awaitable<coworker::outcome> {
        std::cout << "Hello, " << name << "!\n";
        worker.stop();                 // a real worker goes on
        co_return coworker::success(); // or retry(…), failure(…)
    });
    co_await worker.async_run();
    co_await redis.async_stop();
}

int main(int argc, char** argv)
{
    boost::asio::io_context io;
    coworker::client redis{io, argc > 1 ? argv[1] : "redis://localhost"};
    auto end = boost::asio::co_spawn(io, greet(redis), boost::asio::use_future);
    io.run();
    end.get(); // throws what went wrong
}
