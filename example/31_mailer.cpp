// SPDX-License-Identifier: MIT
// mailer REDIS push COUNT: queues so many letters.  mailer REDIS work: sends them.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>
#include <coworker/coworker.hpp>
#include <iostream>
#include <unistd.h>

namespace asio = boost::asio;

struct letter
{
    int number;
    std::string to;
};
BOOST_DESCRIBE_STRUCT(letter, (), (number, to))

asio::awaitable<void> push_letters(coworker::list_queue<letter>& letters, int count)
{
    for (int number = 1; number <= count; ++number) {
        const letter next{number, "ada@example.com"};
        co_await letters.async_push(next); // Redis has it once this returns
    }
}

asio::awaitable<coworker::outcome> send_letter(letter job)
{
    std::cout << getpid() << " begins letter " << job.number << std::endl;
    asio::steady_timer work{co_await asio::this_coro::executor, std::chrono::seconds{1}};
    co_await work.async_wait(asio::use_awaitable);
    std::cout << getpid() << " has sent letter " << job.number << std::endl;
    co_return coworker::success();
}

asio::awaitable<void> run(coworker::client& redis, std::string command, int count)
{
    coworker::list_queue<letter> letters{redis, "letters"};
    if (command == "push") {
        co_await push_letters(letters, count);
    } else {
        coworker::worker worker{redis, {.concurrency = 2}};
        worker.handle(letters, send_letter);
        co_await worker.async_run(); // until the process ends
    }
    co_await redis.async_stop();
}

int main(int argc, char** argv)
{
    if (argc < 3)
        return std::cerr << "mailer REDIS push COUNT, or mailer REDIS work\n", 2;
    asio::io_context io;
    coworker::client redis{io, argv[1]};
    auto end = asio::co_spawn(io, run(redis, argv[2], argc > 3 ? std::atoi(argv[3]) : 1), asio::use_future);
    io.run();
    end.get(); // throws what went wrong
}
