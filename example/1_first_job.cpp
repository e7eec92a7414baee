// SPDX-License-Identifier: MIT
// Queues a job and runs it. The argument is the URL of a Redis server; the default is redis://localhost.
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>
#include <iostream>

namespace asio = boost::asio;

struct email
{
    std::string to, subject;
};
BOOST_DESCRIBE_STRUCT(email, (), (to, subject))

asio::awaitable<void> run_mailer(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::list_queue<email> emails{redis, "emails"};

    email welcome{"ada@example.com", "Welcome"};
    co_await emails.async_push(welcome); // durable once this returns

    coworker::worker worker{redis};
    worker.handle(emails, [&](email job) -> asio::awaitable<coworker::outcome> {
        std::cout << "sending '" << job.subject << "' to " << job.to << '\n';
        worker.stop();                 // a real worker goes on
        co_return coworker::success(); // or retry(…) or failure(…)
    });
    co_await worker.async_run();
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run_mailer(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get(); // throws what went wrong
}
